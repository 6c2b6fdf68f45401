import { fileURLToPath } from "node:url";
import { startProgram } from "../../../../scripts/programs/program.ts";
import { processEnvironment } from "./process-environment.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/**
 * Starts the reference server, without embedded workers, as a process that may refuse to start; `inside` is a command
 * to run it by.
 */
export function startServer(environment: Record<string, string>, inside: readonly string[] = []) {
	const settings = { REELMILL_PORT: "0", REELMILL_EMBEDDED_WORKERS: "0", ...environment };
	const [program = "", ...args] = [...inside, process.execPath, main];
	const server = startProgram(program, args, { env: { ...processEnvironment, ...settings } });
	/** What it said until it was ready or had ended. The code is null while it runs. */
	const said = server
		.until((text) => text.includes("--wait\n"))
		.catch(() => undefined)
		.then(() => ({ text: server.said(), code: server.child.exitCode }));
	return { child: server.child, said, end: server.stop };
}
