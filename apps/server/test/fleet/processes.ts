import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { processEnvironment } from "../support/process-environment.ts";
import type { Host } from "./network.ts";

/** A program that runs on a host of the test's network. */
export type Running = {
	readonly host: Host;
	readonly child: ChildProcess;
	/** What it has said, on both its streams. */
	said(): string;
	/** Resolves once it has said this. Rejects if it ends before. */
	says(text: string): Promise<void>;
	/** Resolves when it is gone, with all that it said. */
	readonly ended: Promise<unknown>;
	/** Ends it (default: by SIGTERM), and resolves when it is gone. */
	end(signal?: NodeJS.Signals): Promise<void>;
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
	const child = spawn(...host.command(program, args, user), {
		cwd: "/",
		env: { ...processEnvironment, ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	const closed = once(child, "close");
	const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text: Buffer) => {
			said += text;
			child.emit("said");
		});
	return {
		host,
		child,
		said: () => said,
		ended: closed,
		async says(text) {
			while (!said.includes(text)) {
				if (hasEnded()) throw new Error(`${host.name} ended: ${said.slice(-2000)}`);
				await Promise.race([once(child, "said"), closed]);
			}
		},
		async end(signal = "SIGTERM") {
			if (!hasEnded()) child.kill(signal);
			await closed;
		},
	};
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
