import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "./process-environment.ts";

const main = fileURLToPath(new URL("../../../transcoder/src/main.ts", import.meta.url));

/** Starts the reference transcoder as a process, with options of its command line. */
export function runTranscoder(environment: Readonly<Record<string, string>>, options: readonly string[] = []) {
	const child = spawn(process.execPath, [main, ...options], {
		env: { ...processEnvironment, ...environment },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const ended = once(child, "close");
	let said = "";
	child.stderr.on("data", (text: Buffer) => {
		said += text;
	});
	return {
		child,
		/** Resolves when the process has ended and all that it said is here. */
		ended,
		/** All that it logged, and complained of. */
		said: () => said,
		async stop(): Promise<void> {
			child.kill("SIGTERM");
			await ended;
		},
	};
}
