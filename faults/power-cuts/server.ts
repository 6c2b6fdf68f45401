import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type DiskFaults, openDiskFaults, openMemoryGroup } from "@reelmill/fault-disk";

/** A reference server whose disk can be broken. */
export type BreakableServer = {
	/** The address of the server that runs now; each start has another one. */
	url(): string | null;
	readonly disk: DiskFaults;
	/** Kills it and starts it again. */
	restart(): Promise<void>;
	/**
	 * Takes its memory until the kernel kills it, and starts it again. Returns false if it wanted no more memory within 2
	 * s; it is then killed by a signal.
	 */
	starve(): Promise<boolean>;
	/** Stops all of its threads, wherever they are, until `resume`. */
	halt(): Promise<void>;
	resume(): void;
	close(): Promise<void>;
};

const main = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));
const starvingBytes = 256 * 1024;

export async function startBreakableServer(
	name: string,
	settings: Readonly<Record<string, string>>,
	log: (text: string) => void,
): Promise<BreakableServer> {
	const disk = await openDiskFaults();
	let child: ChildProcess;
	let url: string | null = null;

	const start = async (): Promise<void> => {
		const env = { PATH: process.env.PATH ?? "", ...settings, REELMILL_PORT: "0", ...disk.environment };
		child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
		child.stderr?.on("data", (text: Buffer) => log(`${name}: ${text}`));
		let said = "";
		const ready = new Promise<void>((resolve, reject) => {
			child.stdout?.on("data", (text: Buffer) => {
				said += text;
				url = /https?:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? null;
				if (said.includes("Reelmill is ready.") && url !== null) resolve();
			});
			child.once("exit", () => reject(new Error(`${name} ended before it was ready: ${said}`)));
		});
		await ready;
	};
	const kill = async (): Promise<void> => {
		url = null;
		const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
		child.kill("SIGKILL");
		await ended;
	};
	await start();

	return {
		url: () => url,
		disk,
		async restart() {
			await kill();
			await disk.use([]);
			await start();
		},
		async starve() {
			const group = await openMemoryGroup(name, starvingBytes);
			await group.add(child.pid as number);
			const ended = once(child, "exit");
			await Promise.race([ended, sleep(2000)]);
			const wasKilled = (await group.kills()) > 0;
			await kill();
			await group.close();
			await start();
			return wasKilled;
		},
		async halt() {
			child.kill("SIGSTOP");
			while (!(await isHalted(child.pid as number))) await sleep(2);
		},
		resume: () => void child.kill("SIGCONT"),
		async close() {
			await kill();
			await disk.close();
		},
	};
}

async function isHalted(pid: number): Promise<boolean> {
	const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
	const states = await Promise.all(
		threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => ") T")),
	);
	return states.every((text) => /^[TZX]/.test(text.slice(text.lastIndexOf(")") + 2)));
}
