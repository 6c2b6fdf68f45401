import { join, relative } from "node:path";
import ts from "typescript";
import { entryPoints, listPackages } from "../packages/list.ts";
import { undocumented } from "../reference/documented.ts";
import { root } from "../setup/paths.mjs";
import { listExported } from "./exported.ts";
import { type Example, readExamples } from "./read-examples.ts";

/**
 * Proves that every exported function and class of a published package has an example, that each example shows a
 * value, and that all of them compile against the packages as a user imports them. The packages' tests run them. Every
 * export, of whatever kind, says what it is for.
 */
export async function proveExamples(): Promise<void> {
	const folders = listPackages().map(({ folder }) => relative(join(root, "packages"), folder));
	const examples = folders.flatMap(readExamples);
	const program = compile(examples);
	const exported = listExported(program, entryPoints().values());
	const complaints = [
		...exported
			.filter(({ name, file }) => !examples.some((example) => example.name === name && example.file === file))
			.map(({ name, file, line }) => `${file}:${line}: ${name} is exported and has no @example`),
		...examples.flatMap(complaintsAbout),
		...errorsOfTypes(program, examples),
		...undocumented(program, entryPoints().values()),
	];
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	console.log(`${examples.length} examples of ${exported.length} exported functions and classes`);
}

/** What is wrong with an example as a text. */
export function complaintsAbout({ name, file, line, code }: Example): string[] {
	const where = `${file}:${line}: the example of ${name}`;
	return [
		...(/\/\/ =>|\bassert\b/.test(code) ? [] : [`${where} shows no value: end it with "// => value" or an assert`]),
		...(name === "example" || new RegExp(`\\b${name}\\b`).test(code) ? [] : [`${where} does not use it`]),
		...(/from "\.{1,2}\//.test(code) ? [`${where} imports a file: import the package by its name`] : []),
	];
}

/** Where the compiler believes an example lies: at its package's root, so that its imports are the package's. */
const pathOf = ({ file, line }: Example): string =>
	join(root, ...file.split("/").slice(0, 2), `${file.split("/").slice(2).join("-").replace(".ts", "")}-${line}.ts`);

function compile(examples: readonly Example[]): ts.Program {
	const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
	options.moduleDetection = ts.ModuleDetectionKind.Force;
	options.paths = Object.fromEntries([...entryPoints()].map(([name, file]) => [name, [file]]));
	const texts = new Map(examples.map((example) => [pathOf(example), example.code]));
	const host = ts.createCompilerHost(options);
	const { fileExists, readFile, getSourceFile } = host;
	host.fileExists = (path) => texts.has(path) || fileExists(path);
	host.readFile = (path) => texts.get(path) ?? readFile(path);
	host.getSourceFile = (path, version, ...rest) => {
		const text = texts.get(path);
		return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version, true);
	};
	return ts.createProgram([...texts.keys(), ...entryPoints().values()], options, host);
}

const errorsOfTypes = (program: ts.Program, examples: readonly Example[]): string[] =>
	examples.flatMap((example) => {
		const source = program.getSourceFile(pathOf(example));
		return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
			({ messageText, start }) => {
				const line = source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
				return `${example.file}:${example.line + line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
			},
		);
	});
