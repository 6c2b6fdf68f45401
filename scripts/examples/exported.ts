import { relative } from "node:path";
import ts from "typescript";
import { root } from "../setup/paths.mjs";

/** A function or class that a published package exports. */
export type Exported = {
	readonly name: string;
	/** The file that declares it, from the repository's root. */
	readonly file: string;
	/** Line of the declaration, counted from 1. */
	readonly line: number;
};

/** Lists the functions and classes that these files export, each once however many entries export it. */
export function listExported(program: ts.Program, files: Iterable<string>): Exported[] {
	const checker = program.getTypeChecker();
	const found = new Map<ts.Declaration, Exported>();
	for (const file of files) {
		const source = program.getSourceFile(file);
		const module = source && checker.getSymbolAtLocation(source);
		if (!module) throw new Error(`${file} exports nothing.`);
		for (const each of checker.getExportsOfModule(module)) {
			const symbol = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
			const declaration = symbol.declarations?.[0];
			if (!declaration || !isCallable(checker, symbol) || isTypeAlone(each)) continue;
			const within = declaration.getSourceFile();
			found.set(declaration, {
				name: symbol.name,
				file: relative(root, within.fileName),
				line: within.getLineAndCharacterOfPosition(declaration.getStart()).line + 1,
			});
		}
	}
	return [...found.values()].filter(({ file }) => !file.includes("node_modules"));
}

/** Whether only a type is exported, `export type { Class }`: nobody can call or construct it. */
const isTypeAlone = ({ declarations = [] }: ts.Symbol): boolean =>
	declarations.some((each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly));

function isCallable(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
	if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class)) return true;
	return symbol.flags & ts.SymbolFlags.Variable
		? checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
		: false;
}
