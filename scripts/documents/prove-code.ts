import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorsOfCode, fileOf, linkImports, strangeExcerpts, wholeText } from "./compile-code.ts";
import { readCode } from "./read-code.ts";
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
 * Proves the code that users read, against the packages installed in a project: it compiles, and what can be run, runs
 * by each of these Nodes.
 */
export async function proveDocumentsCode(project: string, nodes: readonly string[]): Promise<void> {
	const codes = readCode();
	const whole = codes.filter(({ within }) => within === undefined);
	for (const code of whole) writeFileSync(fileOf(project, code), wholeText(code));
	linkImports(project, whole);
	const complaints = [...strangeExcerpts(codes), ...errorsOfCode(project, whole)];
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
	const runs = whole.filter(({ reason, language }) => reason === undefined && !language.endsWith("x"));
	writeFileSync(join(project, "database.mjs"), database);
	for (const node of nodes) await runCode(node, project, runs);
	console.log(
		`${whole.length} blocks of code compile, ${runs.length} of them run; ${codes.length - whole.length} are excerpts`,
	);
}
