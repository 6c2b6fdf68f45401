import { existsSync, globSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { listPackages } from "../packages/list.ts";
import { root } from "../setup/paths.mjs";
import { blocksOf, type Code, fileSaid, userDocuments } from "./read-code.ts";

/** The file that a block of code is written to, in a project of a user's. */
export const fileOf = (project: string, { file, line, language }: Code): string =>
	join(project, `${file.replace(/\W+/g, "-").toLowerCase()}-${line}.${language}`);

/** A block with what it stands on. Its lines keep their numbers: what is before it takes one line. */
export const wholeText = ({ before, text }: Code): string => (before === "" ? text : `${before}\n${text}`);

/** Reads files as a user's compiler does, by `strict` and `exactOptionalPropertyTypes`. */
export const compile = (project: string, files: readonly string[]): ts.Program =>
	ts.createProgram(files, {
		strict: true,
		exactOptionalPropertyTypes: true,
		noEmit: true,
		allowJs: true,
		checkJs: true,
		erasableSyntaxOnly: true,
		target: ts.ScriptTarget.ES2024,
		module: ts.ModuleKind.NodeNext,
		moduleResolution: ts.ModuleResolutionKind.NodeNext,
		moduleDetection: ts.ModuleDetectionKind.Force,
		jsx: ts.JsxEmit.ReactJSX,
		types: ["node"],
		typeRoots: [join(project, "node_modules/@types")],
	});

/** Returns what is wrong with blocks of code, and with the declarations of the packages that are installed. */
export function errorsOfCode(program: ts.Program, project: string, codes: readonly Code[]): string[] {
	const ours = program
		.getSourceFiles()
		.filter(({ fileName }) => /node_modules\/(?:@reelmill|reelmill)\//.test(fileName));
	return [
		...codes.flatMap((code) => {
			const offset = code.line - 1 - (code.before === "" ? 0 : code.before.split("\n").length);
			return errorsOf(program, fileOf(project, code)).map(({ line, text }) => `${code.file}:${line + offset}: ${text}`);
		}),
		...ours.flatMap(({ fileName }) =>
			errorsOf(program, fileName).map(({ line, text }) => `${fileName.slice(project.length + 1)}:${line}: ${text}`),
		),
	];
}

const errorsOf = (program: ts.Program, file: string): { line: number; text: string }[] => {
	const source = program.getSourceFile(file);
	if (!source) return [{ line: 1, text: "is not compiled" }];
	return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
		({ messageText, start = 0 }) => ({
			line: source.getLineAndCharacterOfPosition(start).line + 1,
			text: ts.flattenDiagnosticMessageText(messageText, "\n"),
		}),
	);
};

/**
 * Links what blocks import beside our packages, such as a web framework, and the packages' peers into a project: from
 * wherever this repository has them installed, with their types.
 */
export function linkImports(project: string, codes: readonly Code[]): void {
	const named = codes.flatMap((code) =>
		[...wholeText(code).matchAll(/(?:from|import|import\() ?"((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, name = ""]) => name),
	);
	const peers = listPackages().flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
	const names = new Set([...named, ...peers].filter((name) => !/^\.|^node$|^@?reelmill/.test(name)));
	for (const name of ["@types/node", ...names].flatMap((each) => [each, typesOf(each)])) {
		const link = join(project, "node_modules", name);
		if (existsSync(link)) continue;
		const [found] = globSync([`node_modules/${name}`, `{packages,apps,examples}/*/node_modules/${name}`], {
			cwd: root,
		});
		if (!found) continue;
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(realpathSync(join(root, found)), link);
	}
}

const typesOf = (name: string): string =>
	name.startsWith("@types/") ? name : `@types/${name.replace("@", "").replace("/", "__")}`;

/** Says which excerpts are not in the folder that they name, whatever their indentation. */
export function strangeExcerpts(codes: readonly Code[]): string[] {
	return codes
		.filter(({ within, text }) => {
			if (within === undefined) return false;
			const files = globSync(`${within}/{*,{src,test,app,lib}/**/*}.{ts,tsx,mjs}`, { cwd: root });
			return !files.some((file) =>
				withoutIndentation(readFileSync(join(root, file), "utf8")).includes(withoutIndentation(text)),
			);
		})
		.map(({ file, line, within }) => `${file}:${line}: no file of ${within} has this`);
}

/** Says which blocks that are a file of this repository, letter by letter, differ from it. */
export const strangeFiles = (): string[] =>
	userDocuments().flatMap((file) =>
		[...blocksOf(readFileSync(join(root, file), "utf8"), /./)].flatMap(({ comments, line, text }) => {
			const source = fileSaid(comments)?.source;
			if (source === undefined) return [];
			const isSame = existsSync(join(root, source)) && readFileSync(join(root, source), "utf8") === text;
			return isSame ? [] : `${file}:${line}: this isn't ${source}`;
		}),
	);

const withoutIndentation = (text: string): string => text.replace(/^\s+/gm, "");
