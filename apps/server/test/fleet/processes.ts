import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type Program, startProgram } from "../../../../scripts/programs/program.ts";
import { processEnvironment } from "../support/process-environment.ts";
import type { Host } from "./network.ts";

/** A program that runs on a host of the test's network. */
export type Running = Program & {
	readonly host: Host;
	/** Resolves once it has said this. Rejects if it ends before. */
	says(text: string): Promise<void>;
};
export type Command = {
	readonly program: string;
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** The user's id (default: the test's own). */
	readonly user?: number;
};

/** Starts a program on a host. */
export function startOn(host: Host, { program, args, environment = {}, user }: Command): Running {
	const running = startProgram(...host.command(program, args, user), {
		cwd: "/",
		env: { ...processEnvironment, ...environment },
	});
	return { host, ...running, says: (text) => running.until((said) => said.includes(text)) };
}

/** Runs a command on a running program's host until it succeeds, as a health check does. */
export async function healthy(
	{ host, child, said }: Running,
	[program = "", ...args]: readonly string[],
): Promise<void> {
	for (;;) {
		try {
			await promisify(execFile)(...host.command(program, args), { env: { ...processEnvironment } });
			return;
		} catch {
			if (child.exitCode !== null || child.signalCode !== null)
				throw new Error(`${host.name} ended: ${said().slice(-2000)}`);
			await pause(200);
		}
	}
}
