import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "./process-environment.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/**
 * Starts the reference server, without embedded workers, as a process that may refuse to start; `inside` is a command
 * to run it by.
 */
export function startServer(environment: Record<string, string>, inside: readonly string[] = []) {
	const settings = { REELMILL_PORT: "0", REELMILL_EMBEDDED_WORKERS: "0", ...environment };
	const [program = "", ...args] = [...inside, process.execPath, main];
	const child = spawn(program, args, {
		env: { ...processEnvironment, ...settings },
		stdio: ["ignore", "pipe", "pipe"],
	});
	/** What it said until it was ready or had ended. The code is null while it runs. */
	const said = new Promise<{ readonly text: string; readonly code: number | null }>((resolve) => {
		let text = "";
		const finish = () => resolve({ text, code: child.exitCode });
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (more: Buffer) => {
				text += more;
				if (text.includes("--wait\n")) finish();
			});
		child.once("close", finish);
	});
	return {
		child,
		said,
		async end(signal: NodeJS.Signals): Promise<void> {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill(signal);
			await once(child, "exit");
		},
	};
}
