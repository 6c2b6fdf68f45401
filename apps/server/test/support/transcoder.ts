import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "./process-environment.ts";

const main = fileURLToPath(new URL("../../../transcoder/src/main.ts", import.meta.url));

export type RunningTranscoder = {
	readonly child: ChildProcess;
	/** The address of /health, /ready and /metrics. */
	readonly operations: string;
	/** Resolves when the process has ended. */
	readonly ended: Promise<unknown>;
};

/** Starts the reference transcoder as a process with these settings, `OPS_PORT` among them. */
export async function startTranscoder(settings: Readonly<Record<string, string>>): Promise<RunningTranscoder> {
	const environment = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`REELMILL_${name}`, value]));
	const child = spawn(process.execPath, [main], {
		env: { ...processEnvironment, ...environment },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const ended = once(child, "exit");
	let said = "";
	child.stderr.on("data", (text: Buffer) => {
		said += text;
	});
	let port: string | undefined;
	while (port === undefined) {
		if (child.exitCode !== null) throw new Error(`the transcoder ended with ${child.exitCode}: ${said}`);
		await Promise.race([once(child.stderr, "data"), ended]);
		port = /"operationsPort":(\d+)/.exec(said)?.[1];
	}
	return { child, operations: `http://127.0.0.1:${port}`, ended };
}
