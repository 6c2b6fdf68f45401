import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Postmaster, readPidFile } from "./pid-file.ts";
import type { Privileges } from "./privileges.ts";
import { isAlive } from "./process-identity.ts";

const pollMilliseconds = 10;
const logLimit = 8 * 1024 * 1024;

export type ServerProcess = { readonly pid: number; readonly port: number; readonly exited: Promise<void> };
/** The port was taken by another program. */
export class PortTakenError extends Error {
	override readonly name = "PortTakenError";
}

/**
 * Starts the server and resolves when it takes connections. It gets a process group of its own, so that Ctrl-C in a terminal reaches only the
 * program that then stops it. Its words go to `postgres.log` in `directory`.
 */
export async function startServer(
	directory: string,
	program: string,
	settings: Readonly<Record<string, string>>,
	privileges: Privileges,
): Promise<ServerProcess> {
	const data = join(directory, "data");
	const log = await open(join(directory, "postgres.log"), "a+", 0o600);
	try {
		const { size } = await log.stat();
		if (size > logLimit) await log.truncate(0);
		const from = size > logLimit ? 0 : size;
		const args = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
		const [command, all] = privileges.command(program, args);
		const child = spawn(command, all, { stdio: ["ignore", log.fd, log.fd], cwd: "/", detached: true, ...privileges.spawn });
		const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
		await Promise.race([once(child, "spawn"), once(child, "error").then(([error]) => Promise.reject(error))]);
		const pid = child.pid as number;
		while (child.exitCode === null && child.signalCode === null) {
			const found = await readPidFile(data);
			if (found?.pid === pid && found.ready) {
				child.unref();
				return { pid, port: found.port, exited };
			}
			await Promise.race([sleep(pollMilliseconds), exited]);
		}
		const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(16_384), position: from });
		throw startError(buffer.toString("utf8", 0, bytesRead), settings.port ?? "", directory);
	} finally {
		await log.close();
	}
}

/** The orphan as a process that can be waited for, once it takes connections; null when it ended instead. */
export async function adopt(orphan: Postmaster, dataDirectory: string): Promise<ServerProcess | null> {
	while (isAlive(orphan.pid)) {
		const found = await readPidFile(dataDirectory);
		if (found?.pid === orphan.pid && found.ready) return { pid: found.pid, port: found.port, exited: untilGone(found.pid) };
		await sleep(pollMilliseconds);
	}
	return null;
}

/** Ends the server: open transactions are rolled back, all is written. One that doesn't end within 10 s is ended at once and recovers at its next start. */
export async function stopServer(server: ServerProcess): Promise<void> {
	signal(server.pid, "SIGINT");
	const late = new AbortController();
	await Promise.race([
		server.exited,
		sleep(10_000, undefined, { signal: late.signal }).then(
			() => signal(server.pid, "SIGQUIT"),
			() => {},
		),
	]);
	late.abort();
	await server.exited;
}

async function untilGone(pid: number): Promise<void> {
	while (isAlive(pid)) await sleep(pollMilliseconds, undefined, { ref: false });
}

function signal(pid: number, name: NodeJS.Signals): void {
	if (isAlive(pid)) process.kill(pid, name);
}

function startError(log: string, port: string, directory: string): Error {
	const lines = log.split("\n");
	if (lines.some((line) => /could not bind IPv4 address/i.test(line) && /in use|EADDRINUSE/i.test(line)))
		return new PortTakenError(`Port ${port} is taken: the embedded PostgreSQL needs another one.`);
	const fatal = lines.filter((line) => /FATAL|PANIC|ERROR|error/.test(line));
	return new Error(
		`The embedded PostgreSQL in ${directory} did not start: ${(fatal.length > 0 ? fatal : log.trim().split("\n")).slice(-2).join(" ").trim() || "it said nothing"}`,
	);
}
