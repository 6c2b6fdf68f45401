import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A program that runs beside this one. */
export type Program = {
	readonly child: ChildProcess;
	/** What it printed. */
	said(): string;
	/** Waits until `isReady`; rejects with all that the program printed if it ends before. */
	until(isReady: (said: string) => unknown): Promise<void>;
	/** Resolves to the code that it ends with. */
	readonly ended: Promise<number | null>;
	/** Sends a signal, to all of its group if it is detached, and waits for its end. */
	stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts a program and keeps what it prints. */
export function startProgram(program: string, args: readonly string[], options: SpawnOptions = {}): Program {
	const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream?.on("data", (text: Buffer) => {
			said += text;
		});
	const ended = once(child, "close").then(([code]) => code as number | null);
	const isRunning = () => child.exitCode === null && child.signalCode === null;
	return {
		child,
		said: () => said,
		ended,
		async until(isReady) {
			while (!(await isReady(said))) {
				if (isRunning()) await sleep(50);
				else {
					await ended;
					if (await isReady(said)) return;
					throw new Error(`${program} ${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}:\n${said}`);
				}
			}
		},
		async stop(signal = "SIGTERM") {
			if (isRunning() && child.pid !== undefined) process.kill(options.detached ? -child.pid : child.pid, signal);
			return ended;
		},
	};
}

/** Whether an address answers with success. */
export const answers = (address: string): Promise<boolean> =>
	fetch(address).then(
		({ ok }) => ok,
		() => false,
	);

/** Waits until a server says its address, and returns that. */
export async function addressOf(server: Program): Promise<string> {
	const address = (said: string) => /(http:\/\/\S+)\/v1\/health\s/.exec(said)?.[1];
	await server.until(address);
	return address(server.said()) ?? "";
}

/**
 * Returns a port of this machine that no program listens on. It lies below those that Linux gives to outgoing
 * connections, so that none of these takes it meanwhile.
 */
export async function freePort(): Promise<number> {
	const probe = createServer();
	try {
		const port = randomInt(20_000, 32_000);
		await once(probe.listen(port, "127.0.0.1"), "listening");
		return port;
	} catch {
		return freePort();
	} finally {
		await new Promise((resolve) => probe.close(resolve));
	}
}
