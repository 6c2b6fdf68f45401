import { relative } from "node:path";
import ts from "typescript";
import { root } from "../setup/paths.mjs";

/** What a reader needs to be told and is not, each as `file:line: sentence`. */
export function undocumented(program: ts.Program, entries: Iterable<string>): string[] {
	const checker = program.getTypeChecker();
	const complaints = new Map<ts.Declaration, string>();
	for (const file of entries) {
		const source = program.getSourceFile(file);
		const module = source && checker.getSymbolAtLocation(source);
		if (!module) throw new Error(`${file} exports nothing.`);
		for (const exported of checker.getExportsOfModule(module)) {
			const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
			for (const [declaration, complaint] of aboutSymbol(checker, symbol)) {
				const within = declaration.getSourceFile();
				const path = relative(root, within.fileName);
				if (path.includes("node_modules")) continue;
				const { line } = within.getLineAndCharacterOfPosition(declaration.getStart());
				complaints.set(declaration, `${path}:${line + 1}: ${complaint}`);
			}
		}
	}
	return [...complaints.values()];
}

type Complaint = readonly [ts.Declaration, string];

function aboutSymbol(checker: ts.TypeChecker, symbol: ts.Symbol): Complaint[] {
	const declaration = symbol.declarations?.[0];
	if (!declaration) return [];
	const { name } = symbol;
	const text = documentation(checker, symbol);
	const complaints: Complaint[] = [];
	// What a module exports under one name, `export * as`, says it itself.
	const isModule = (symbol.flags & ts.SymbolFlags.ValueModule) !== 0;
	if (text === "" && !isModule) complaints.push([declaration, `${name} is exported, and nothing says what it is for`]);
	else if (throwsItself(declaration) && !/@throws|\b(?:throws|rejects|refused?s?|fails?)\b/i.test(text))
		complaints.push([declaration, `${name} throws, and nothing says what: add @throws`]);
	return [...complaints, ...aboutNumbers(checker, symbol, declaration)];
}

/** All that a docstring says, its tags too. */
const documentation = (checker: ts.TypeChecker, symbol: ts.Symbol): string =>
	[
		ts.displayPartsToString(symbol.getDocumentationComment(checker)),
		...symbol.getJsDocTags(checker).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`),
	]
		.join("\n")
		.trim();

/** Whether the body of a function, not one within it, throws something that it did not catch. */
function throwsItself(declaration: ts.Declaration): boolean {
	const body = ts.isFunctionDeclaration(declaration) ? declaration.body : undefined;
	let found = false;
	const visit = (node: ts.Node): void => {
		if (ts.isThrowStatement(node)) found = true;
		else if (!ts.isFunctionLike(node) && !ts.isCatchClause(node)) ts.forEachChild(node, visit);
	};
	if (body) ts.forEachChild(body, visit);
	return found;
}

/** A unit, or what is counted, in a name or in a docstring. */
const unit =
	/\b(?:(?:milli)?seconds?|ms|minutes?|hours?|days?|bytes?|bits?|pixels?|frames?|percent|hertz|fps|kbps|(?:per|a) second|crf|width|height|sizes?|length|counts?|number|(?:how|as) many|most|least|times|port|pid|process id|status|version|index|offset|position|epoch|channels?|degrees|attempts?|connections?|requests?|rows?|threads?|processors?|cores?|share|part|factor|descriptor|how often|from 0|machines|videos|uploads|uses)\b/;

/** Numbers among the properties of an exported type: each says its unit, by its name or in words. */
function aboutNumbers(checker: ts.TypeChecker, symbol: ts.Symbol, declaration: ts.Declaration): Complaint[] {
	if (!(symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface))) return [];
	const type = checker.getDeclaredTypeOfSymbol(symbol);
	return type.getProperties().flatMap((property): Complaint[] => {
		const own = property.declarations?.[0];
		if (!own || own.getSourceFile() !== declaration.getSourceFile()) return [];
		const parts = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(property, own));
		if (!(parts.flags & ts.TypeFlags.Number)) return [];
		// A schema says it where it is declared.
		const schema = ts.isPropertyAssignment(own) ? own.getText() : "";
		const words = [property.name, documentation(checker, property), documentation(checker, symbol), schema];
		if (unit.test(apart(words.join(" ")))) return [];
		return [[own, `${symbol.name}.${property.name} is a number, and nothing says of what: name its unit`]];
	});
}

/** Takes names apart into words: `longestSeconds` and `longest_seconds` are "longest seconds". */
const apart = (text: string): string =>
	text
		.replace(/([a-z])([A-Z])/g, "$1 $2")
		.replaceAll("_", " ")
		.toLowerCase();
