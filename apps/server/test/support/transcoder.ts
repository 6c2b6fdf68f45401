import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "../../../../scripts/programs/program.ts";
import { processEnvironment } from "./process-environment.ts";

const main = fileURLToPath(new URL("../../../transcoder/src/main.ts", import.meta.url));

/** A transcoder, and the address of its /health, /ready and /metrics. */
export type RunningTranscoder = Program & { readonly operations: string };

/** Starts the reference transcoder as a process with these settings, `OPS_PORT` among them. */
export async function startTranscoder(settings: Readonly<Record<string, string>>): Promise<RunningTranscoder> {
	const environment = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`REELMILL_${name}`, value]));
	const transcoder = startProgram(process.execPath, [main], {
		env: { ...processEnvironment, ...environment },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const port = (said: string) => /"operationsPort":(\d+)/.exec(said)?.[1];
	await transcoder.until(port);
	return { ...transcoder, operations: `http://127.0.0.1:${port(transcoder.said())}` };
}
