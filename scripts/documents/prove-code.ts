import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listPackages } from "../packages/list.ts";
import {
	compile,
	errorsOfCode,
	fileOf,
	linkImports,
	strangeExcerpts,
	strangeFiles,
	wholeText,
} from "./compile-code.ts";
import { declarationsIn, strangeTables } from "./option-tables.ts";
import { type Code, readCode } from "./read-code.ts";
import { readExamples } from "./read-examples.ts";
import { runCode } from "./run-code.ts";

/** A PostgreSQL of the packed packages, until this program's standard input or life ends. */
const database = `
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
const server = await startEmbeddedPostgres({ directory: "./database" });
console.log(JSON.stringify({ url: server.url }));
process.once("SIGTERM", async () => { await server.stop(); process.exit(0); });
process.stdin.resume();
`;

/**
 * Proves the code that users read, in documents and in docstrings, against the packages installed in a project: it
 * compiles, and what documents have and can be run, runs by each of these Nodes. The option tables of READMEs are
 * compared with the packages' types.
 */
export async function proveDocumentsCode(project: string, nodes: readonly string[]): Promise<void> {
	const codes = readCode();
	const whole = codes.filter(({ within }) => within === undefined);
	// Each package's tests run its docstrings' examples.
	const examples = listPackages().flatMap(({ path }) =>
		readExamples(join("..", path)).map(
			({ file, line, code }): Code => ({ file, line, language: "ts", text: code, before: "", stays: false }),
		),
	);
	const compiled = [...whole, ...examples];
	for (const code of compiled) writeFileSync(fileOf(project, code), wholeText(code));
	linkImports(project, compiled);
	const declarations = declarationsIn(project);
	const program = compile(project, [...compiled.map((code) => fileOf(project, code)), ...declarations]);
	const complaints = [
		...strangeExcerpts(codes),
		...strangeFiles(),
		...strangeTables(program, declarations),
		...errorsOfCode(program, project, compiled),
	];
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	const runs = whole.filter(({ reason, language }) => reason === undefined && !language.endsWith("x"));
	writeFileSync(join(project, "database.mjs"), database);
	for (const node of nodes) await runCode(node, project, runs);
	console.log(
		`${whole.length} blocks of code and ${examples.length} examples compile, ${runs.length} of the blocks run; ${codes.length - whole.length} are excerpts`,
	);
}
