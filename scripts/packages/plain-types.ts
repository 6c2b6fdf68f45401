import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../setup/paths.mjs";

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
	const text = checker
		.getExportsOfModule(entry)
		.map((symbol) => [symbol.name, typeOf(checker, symbol)] as const)
		.filter((each): each is readonly [string, ts.Type] => each[1] !== undefined)
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, type]) => `export type ${name} = ${name === "Calls" ? calls(checker, type) : print(checker, type)};`)
		.join("\n");
	proveAlone(text);
	await writeFile(written, `${text}\n`);
}

function optionsOf(): ts.CompilerOptions {
	const file = join(root, "tsconfig.base.json");
	const { config } = ts.readConfigFile(file, ts.sys.readFile);
	return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
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

const flags =
	ts.TypeFormatFlags.NoTruncation |
	ts.TypeFormatFlags.InTypeAlias |
	ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

const print = (checker: ts.TypeChecker, type: ts.Type): string => checker.typeToString(type, undefined, flags);

/** Prints operation by operation: the whole is a mapped type, which would be printed with the names that it maps. */
function calls(checker: ts.TypeChecker, type: ts.Type): string {
	const rows = checker.getPropertiesOfType(type).map((operation) => {
		const parts = checker
			.getPropertiesOfType(checker.getTypeOfSymbol(operation))
			.map((part) => `${part.name}: ${print(checker, checker.getTypeOfSymbol(part))}`);
		return `\t${operation.name}: { ${parts.join("; ")} };`;
	});
	return `{\n${rows.join("\n")}\n}`;
}

/** Proves that the text compiles by itself, strictly, and that nothing in it has become `any`. */
function proveAlone(text: string): void {
	const name = "/types.d.ts";
	const host = ts.createCompilerHost({});
	const read = host.getSourceFile.bind(host);
	host.getSourceFile = (file, ...more) =>
		file === name ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : read(file, ...more);
	const program = ts.createProgram([name], { strict: true, noEmit: true, types: [], lib: ["lib.es2023.d.ts"] }, host);
	const [wrong] = ts.getPreEmitDiagnostics(program);
	if (wrong)
		throw new Error(`The written types don't stand alone: ${ts.flattenDiagnosticMessageText(wrong.messageText, "\n")}`);
	if (/\bany\b|import\(/.test(text)) throw new Error("A written type is any, or imports another one.");
}
