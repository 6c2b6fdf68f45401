import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../setup/paths.mjs";
import { noWords, readWords, type Words } from "./words-of-types.ts";

const declared = join(root, "dist/declarations/packages/contracts/src/types.d.ts");
const written = join(root, "packages/contracts/dist/types.d.ts");

/**
 * Writes out the types of `@reelmill/contracts/types`, which are inferred from the contract's schemas: what a page
 * installs can then do without the library of the schemas. The check of types must have run before.
 * @throws {Error} when a type can't be written without a name from elsewhere
 */
export async function writePlainTypes(): Promise<void> {
	if (!existsSync(declared)) throw new Error(`${declared} is missing: run the check of types first.`);
	const program = ts.createProgram([declared], { ...optionsOf(), noEmit: true });
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(declared);
	const entry = source && checker.getSymbolAtLocation(source);
	if (!entry) throw new Error(`${declared} exports nothing.`);
	const words = readWords();
	const types = checker
		.getExportsOfModule(entry)
		.map((symbol) => [symbol.name, typeOf(checker, symbol)] as const)
		.filter((each): each is readonly [string, ts.Type] => each[1] !== undefined)
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(
			([name, type]) =>
				`${comment(words.said(name), "")}export type ${name} = ${print(checker, type, words.of(name))};`,
		)
		.join("\n");
	const text = `export {};\n${types}`;
	proveAlone(text);
	await writeFile(written, `${text}\n`);
}

function optionsOf(): ts.CompilerOptions {
	const file = join(root, "tsconfig.base.json");
	const { config } = ts.readConfigFile(file, ts.sys.readFile);
	// The declarations lie where the library of the schemas is not found.
	const zod = join(root, "packages/contracts/node_modules/zod");
	const paths = { zod: [join(zod, "index.d.ts")], "zod/*": [join(zod, "*/index.d.ts")] };
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	return { ...options, paths, lib: ["lib.es2024.d.ts"], types: [] };
}

/** Returns the type that a name stands for; undefined for values, and for types that take parameters. */
function typeOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Type | undefined {
	const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
	if (!(target.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface))) return undefined;
	const [declaration] = (target.declarations ?? []).filter(
		(each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each),
	);
	if (declaration?.typeParameters) return undefined;
	return checker.getDeclaredTypeOfSymbol(target);
}

/** Prints a type without the names that it has elsewhere, and with what its schema says of its fields. */
function print(checker: ts.TypeChecker, type: ts.Type, words: Words = noWords): string {
	if (type.isStringLiteral()) return JSON.stringify(type.value);
	if (type.isUnion()) {
		const parts = new Set(type.types.map((part) => print(checker, part, words)));
		if (parts.delete("true") && parts.delete("false")) parts.add("boolean");
		return parts.has("boolean") || parts.size > 1 ? `(${[...parts].join(" | ")})` : [...parts].join("");
	}
	if (checker.isTupleType(type)) return `[${elementsOf(checker, type, words.element()).join(", ")}]`;
	if (checker.isArrayType(type)) return `${elementsOf(checker, type, words.element()).join("")}[]`;
	if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return checker.typeToString(type);
	const indexed = checker
		.getIndexInfosOfType(type)
		.map((index) => `[key: ${print(checker, index.keyType)}]: ${print(checker, index.type)}`);
	const named = checker.getPropertiesOfType(type).map((property) => {
		const mark = property.flags & ts.SymbolFlags.Optional ? "?" : "";
		const field = words.field(property.name);
		const printed = print(checker, checker.getTypeOfSymbol(property), field);
		return `${comment(field.description, " ")}${JSON.stringify(property.name)}${mark}: ${printed}`;
	});
	return `{ ${[...indexed, ...named].join("; ")} }`;
}

const elementsOf = (checker: ts.TypeChecker, type: ts.Type, words: Words): string[] =>
	checker.getTypeArguments(type as ts.TypeReference).map((element) => print(checker, element, words));

const comment = (text: string | undefined, after: string): string =>
	text === undefined ? "" : `/** ${text.replaceAll("*/", "* /")} */${after || "\n"}`;

/** Proves that nothing has become `any`, or leads elsewhere. The packed packages' check compiles it as a user does. */
function proveAlone(text: string): void {
	const [code, ...others] = text.split("/**");
	const withoutWords = [code, ...others.map((part) => part.slice(part.indexOf("*/") + 2))].join("");
	if (/\bany\b|import\(/.test(withoutWords)) throw new Error("A written type is any, or imports another one.");
}
