import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../packages/install-packed.ts";

/** Terminals on one machine: where the reader is in its folders, and what runs there. */
export type Terminals = {
	/** The folder in which the reader is. */
	folder(): string;
	/** Runs commands in a shell to their end, and returns what they printed. Rejects with that if they fail. */
	run(commands: string): Promise<string>;
	/**
	 * Starts a program in a terminal of its own, and resolves once `isReady` says so.
	 *
	 * @throws {Error} with what it printed, if it ends before.
	 */
	start(command: string, isReady: (said: string) => boolean | Promise<boolean>): Promise<void>;
	/** What the programs have printed. */
	said(): string;
	/** Ends every program by Ctrl-C, the last one first. */
	close(): Promise<void>;
};

export function openTerminals(home: string, environment: NodeJS.ProcessEnv): Terminals {
	let folder = home;
	let saidByAll = "";
	const running: ChildProcess[] = [];
	return {
		folder: () => folder,
		async run(commands) {
			const left = join(home, "left-in");
			const output = await run("sh", ["-euc", `${commands}\npwd > "${left}"`], folder, environment);
			folder = readFileSync(left, "utf8").trim();
			return output;
		},
		async start(command, isReady) {
			// A group of its own, because a terminal's Ctrl-C reaches the group.
			const child = spawn("sh", ["-c", command], { cwd: folder, env: environment, stdio: "pipe", detached: true });
			running.push(child);
			let said = "";
			for (const stream of [child.stdout, child.stderr])
				stream.on("data", (text: Buffer) => {
					said += text;
					saidByAll += text;
				});
			while (!(await isReady(said))) {
				if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command.trim()}\n${said}`);
				await sleep(100);
			}
		},
		said: () => saidByAll,
		async close() {
			for (const child of running.splice(0).reverse()) {
				if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
				const closed = once(child, "close");
				process.kill(-child.pid, "SIGINT");
				await closed;
			}
		},
	};
}
