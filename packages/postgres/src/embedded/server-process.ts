import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileLock } from "./file-lock.ts";
import { pidFile, readPidFile } from "./pid-file.ts";
import type { Privileges } from "./privileges.ts";

const pollMilliseconds = 10;
const logLimit = 8 * 1024 * 1024;

export type ServerProcess = {
	readonly pid: number;
	readonly port: number;
	readonly exited: Promise<void>;
	signal(name: NodeJS.Signals): void;
};
/** Another program has taken the port. */
export class PortTakenError extends Error {
	override readonly name = "PortTakenError";
}

/**
 * Replaces itself by the given program, which ends as soon as this process dies, however it dies. A guard waits on a
 * pipe for the word that all is over, and signals if the pipe breaks without it. The guard isn't a child of PostgreSQL,
 * which would be confused by it, and doesn't hold the lock. Variables that shells add to the environment are removed.
 */
const guarded = `((read -r over <&4 || kill -QUIT $$) >/dev/null 2>&1 3<&- &); unset PWD OLDPWD SHLVL; exec "$@" 4<&-`;

/**
 * Starts the server and resolves when it takes connections. The server gets its own process group, so that Ctrl-C in a
 * terminal reaches only the program that then stops it. Its output goes to `postgres.log` in `directory`. It holds the
 * lock until the last of its processes is gone.
 */
export async function startServer(
	directory: string,
	program: string,
	settings: Readonly<Record<string, string>>,
	{ privileges, lock }: { readonly privileges: Privileges; readonly lock: FileLock },
): Promise<ServerProcess> {
	const data = join(directory, "data");
	// Whoever has the lock knows that no server runs. The number in a killed server's file may be any process's by now,
	// and would keep PostgreSQL from starting.
	await rm(pidFile(data), { force: true });
	const log = await open(join(directory, "postgres.log"), "a+", 0o600);
	try {
		const { size } = await log.stat();
		if (size > logLimit) await log.truncate(0);
		const from = size > logLimit ? 0 : size;
		const args = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
		const [command, all] = privileges.command(program, args);
		const stdio = ["ignore", log.fd, log.fd, lock.file.fd, "pipe"] as const;
		const child = spawn("/bin/sh", ["-c", guarded, "sh", command, ...all], {
			stdio: [...stdio],
			cwd: "/",
			detached: true,
			...privileges.spawn,
		});
		const guard = child.stdio[4] as Socket;
		guard.on("error", () => {});
		const exited = new Promise<void>((resolve) =>
			child.once("exit", () => {
				guard.end("over\n");
				resolve();
			}),
		);
		await Promise.race([once(child, "spawn"), once(child, "error").then(([error]) => Promise.reject(error))]);
		const pid = child.pid as number;
		while (child.exitCode === null && child.signalCode === null) {
			const found = await readPidFile(data);
			if (found?.pid === pid && found.ready) {
				child.unref();
				guard.unref();
				return { pid, port: found.port, exited, signal: (name) => void child.kill(name) };
			}
			await Promise.race([sleep(pollMilliseconds), exited]);
		}
		const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(16_384), position: from });
		throw startError(buffer.toString("utf8", 0, bytesRead), settings.port ?? "", directory);
	} finally {
		await log.close();
	}
}

/**
 * Stops the server: open transactions are rolled back, and everything is written. A server that doesn't end within 10 s
 * is killed, and recovers at its next start.
 */
export async function stopServer(server: ServerProcess): Promise<void> {
	server.signal("SIGINT");
	const late = new AbortController();
	await Promise.race([
		server.exited,
		sleep(10_000, undefined, { signal: late.signal }).then(
			() => server.signal("SIGQUIT"),
			() => {},
		),
	]);
	late.abort();
	await server.exited;
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
