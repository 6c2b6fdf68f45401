import { globSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { createOpenApiDocument } from "../../packages/contracts/src/openapi.ts";
import { generators } from "./generate.ts";

/** The tenants' document has fewer bytes than this for each of its operations, and orval makes fewer files of it. */
const most = { bytes: 2900, files: 3.4 };
/** What hey-api copies from itself into any client. It doesn't hold `exactOptionalPropertyTypes`. */
const ofHeyApi = /^hey-api\/client\/(client|core)\//;

/**
 * Generates clients from the tenants' document, and compiles them as a strict user does.
 * @throws {Error} when one doesn't compile, or when the document or a client is larger than it may be
 */
export async function proveGenerators(): Promise<void> {
	const described = createOpenApiDocument({ serverUrl: "https://video.acme.test", part: "tenants" });
	const operations = Object.values(described.paths ?? {}).flatMap((methods) => Object.keys(methods)).length;
	const text = JSON.stringify(described);
	const bytes = Buffer.byteLength(text);
	const mostBytes = operations * most.bytes;
	if (bytes >= mostBytes)
		throw new Error(`The tenants' document has ${bytes} bytes; fewer than ${mostBytes} are allowed.`);
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-clients-"));
	const document = join(folder.path, "openapi.json");
	await writeFile(document, text);
	for (const [name, generate] of Object.entries(generators)) await generate(document, join(folder.path, name));
	const files = globSync("*/**/*.ts", { cwd: folder.path });
	const made = files.filter((file) => file.startsWith("orval/")).length;
	const mostFiles = operations * most.files;
	if (made >= mostFiles) throw new Error(`orval makes ${made} files; fewer than ${mostFiles} are allowed.`);
	const strict = errorsIn(folder.path, files, {});
	const exact = errorsIn(folder.path, files, { exactOptionalPropertyTypes: true }).filter(
		(error) => !ofHeyApi.test(error),
	);
	const errors = [...new Set([...strict, ...exact])];
	if (errors.length > 0) throw new Error(`Generated clients don't compile:\n${errors.join("\n")}`);
	console.log(
		`The tenants' document has ${operations} operations in ${bytes} bytes, and orval makes ${made} files of it.`,
	);
}

function errorsIn(folder: string, files: readonly string[], more: ts.CompilerOptions): string[] {
	const program = ts.createProgram(
		files.map((file) => join(folder, file)),
		{
			strict: true,
			noEmit: true,
			allowImportingTsExtensions: true,
			target: ts.ScriptTarget.ES2024,
			module: ts.ModuleKind.ESNext,
			moduleResolution: ts.ModuleResolutionKind.Bundler,
			lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
			types: [],
			skipDefaultLibCheck: true,
			...more,
		},
	);
	const host = { ...ts.createCompilerHost({}), getCurrentDirectory: () => folder };
	return ts.getPreEmitDiagnostics(program).map((diagnostic) => ts.formatDiagnostic(diagnostic, host).trim());
}
