import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listPackages } from "../packages/list.ts";
import { root } from "../setup/paths.mjs";

type OptionRow = { readonly line: number; readonly name: string; readonly default: string };

/** A table of a README, with the type that it describes. */
type OptionTable = {
	readonly line: number;
	/** The type's name, of the comment above the table: `<!-- options of ClientOptions -->`. */
	readonly type: string | undefined;
	/** Options that the table leaves out: `<!-- options of GuardOptions without clock, logger -->`. */
	readonly without: readonly string[];
	readonly rows: readonly OptionRow[];
};

/** A property of an options type. */
type Option = {
	readonly name: string;
	readonly isOptional: boolean;
	/** What its docstring says as "(default: ...)". */
	readonly default: string | undefined;
};

const header = "| Option | Meaning | Default |";
const marker = /^<!-- options of (\w+)(?: without ([\w, ]+))? -->$/;
const plain = (text: string): string => text.replaceAll("`", "").trim();

/** Finds the tables of options in a README. */
function optionTables(text: string): OptionTable[] {
	const lines = text.split("\n");
	return lines.flatMap((line, index) => {
		if (line.trim() !== header) return [];
		const above = lines.slice(Math.max(0, index - 2), index).map((each) => marker.exec(each));
		const [, type, without = ""] = above.find((match) => match !== null) ?? [];
		const rows: OptionRow[] = [];
		for (let at = index + 2; lines[at]?.startsWith("|"); at++) {
			const cells = (lines[at] ?? "").split(/(?<!\\)\|/);
			rows.push({ line: at + 1, name: plain(cells[1] ?? ""), default: plain(cells.at(-2) ?? "") });
		}
		return { line: index + 1, type, without: without.split(", ").filter(Boolean), rows };
	});
}

/** Compares a table with the options of its type: names, which may be left out, and defaults. */
function differences({ line, type, without, rows }: OptionTable, options: readonly Option[]): string[] {
	const described = options.filter(({ name }) => !without.includes(name));
	const missing = described.filter(({ name }) => !rows.some((row) => row.name === name));
	return [
		...missing.map(({ name }) => `${line}: the table leaves out ${name} of ${type}`),
		...rows.flatMap((row) => {
			const option = described.find(({ name }) => name === row.name);
			if (!option) return [`${row.line}: ${type} has no ${row.name}`];
			const wanted = option.isOptional ? (option.default ?? "none") : "";
			if (row.default === wanted) return [];
			return [`${row.line}: the default of ${row.name} is "${wanted}" by ${type}, not "${row.default}"`];
		}),
	];
}

/** Reads the options of a type that an entry point exports; undefined if it exports no such type. */
function optionsOf(program: ts.Program, files: readonly string[], type: string): Option[] | undefined {
	const checker = program.getTypeChecker();
	for (const file of files) {
		const source = program.getSourceFile(file);
		const module = source && checker.getSymbolAtLocation(source);
		const found = module && checker.getExportsOfModule(module).find(({ name }) => name === type);
		if (!found) continue;
		const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
		return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map((property) => ({
			name: property.name,
			isOptional: Boolean(property.flags & ts.SymbolFlags.Optional),
			default: defaultIn(ts.displayPartsToString(property.getDocumentationComment(checker))),
		}));
	}
	return undefined;
}

/** The text after "(default: " up to its closing parenthesis. */
function defaultIn(docstring: string): string | undefined {
	const text = /\(default: ((?:[^()]|\([^()]*\))*)\)/.exec(docstring)?.[1];
	return text === undefined ? undefined : plain(text.replace(/\s+/g, " "));
}

/** The declarations of all that the packages export, as they are installed in a project. */
export const declarationsIn = (project: string): string[] =>
	listPackages().flatMap(({ manifest: { name, publishConfig } }) =>
		Object.values(publishConfig.exports).map(({ types }) => join(project, "node_modules", name, types)),
	);

/** Says where the option tables of the packages' READMEs differ from the types that they describe. */
export function strangeTables(program: ts.Program, declarations: readonly string[]): string[] {
	return listPackages().flatMap(({ path, manifest }) => {
		const files = declarations.filter((file) => file.includes(`/node_modules/${manifest.name}/`));
		return optionTables(readFileSync(join(root, path, "README.md"), "utf8")).flatMap((table) => {
			if (table.type === undefined)
				return [`${path}/README.md:${table.line}: say <!-- options of <type> --> above the table`];
			const options = optionsOf(program, files, table.type);
			if (!options) return [`${path}/README.md:${table.line}: the package exports no type ${table.type}`];
			return differences(table, options).map((each) => `${path}/README.md:${each}`);
		});
	});
}
