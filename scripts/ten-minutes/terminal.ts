import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, startProgram } from "../programs/program.ts";
import { run } from "../setup/spawn.mjs";

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
	const running: Program[] = [];
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
			const program = startProgram("sh", ["-c", command], { cwd: folder, env: environment, detached: true });
			running.push(program);
			await program.until(isReady);
		},
		said: () => running.map((program) => program.said()).join(""),
		async close() {
			for (const program of running.splice(0).reverse()) await program.stop("SIGINT");
		},
	};
}
