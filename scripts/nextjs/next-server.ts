import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { capture } from "../spawn.mjs";

/** Builds the application in a folder by Next.js; rejects with what Next.js said if that fails. */
export async function buildApplication(folder: string): Promise<void> {
	const { code, output } = await capture(process.execPath, [next(folder), "build"], {
		directory: folder,
		environment: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
	});
	if (code !== 0) throw new Error(output.trim());
}

/**
 * Serves the built application of a folder, and resolves when it answers. `said` returns what it printed.
 * @throws {Error} with what it printed, if it ends before.
 */
export async function serveApplication(folder: string, port: number, environment: Readonly<Record<string, string>>) {
	const args = [next(folder), "start", "--hostname", "127.0.0.1", "--port", String(port)];
	const child = spawn(process.execPath, args, {
		cwd: folder,
		env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text: Buffer) => {
			said += text.toString();
		});
	const address = `http://127.0.0.1:${port}`;
	while ((await fetch(address).catch(() => null)) === null) {
		if (child.exitCode !== null || child.signalCode !== null) throw new Error(said.trim());
		await sleep(50);
	}
	return {
		address,
		said: () => said,
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill("SIGTERM");
			await once(child, "exit");
		},
	};
}

const next = (folder: string) => join(folder, "node_modules/next/dist/bin/next");
