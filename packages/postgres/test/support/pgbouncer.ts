import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProgram } from "../../../../scripts/programs/program.ts";
import { pgbouncer } from "../../../../scripts/setup/programs.mjs";

/** It refuses to run as root, and runs as Debian's nobody then. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export type Pgbouncer = {
	/** The URL of a server's database, through the pooler. */
	through(url: string): string;
	close(): Promise<void>;
};

/**
 * Starts PgBouncer in front of the server of `url`, with `size` sessions for each of its databases. A transaction keeps
 * a session to its end, and no longer. `settings` are further lines of its configuration.
 */
export async function startPgbouncer(url: string, size: number, settings: readonly string[] = []): Promise<Pgbouncer> {
	const program = pgbouncer.find();
	if (!program) throw new Error("PgBouncer is not installed (Debian, Ubuntu: apt-get install pgbouncer).");
	const { hostname, port: serverPort, username, password } = new URL(url);
	const port = await freePort();
	const directory = await mkdtemp(join(tmpdir(), "reelmill-pgbouncer-"));
	const remove = () => rm(directory, { recursive: true, force: true });
	const file = join(directory, "pgbouncer.ini");
	await writeFile(
		file,
		[
			"[databases]",
			`* = host=${hostname} port=${serverPort || 5432} user=${username} password=${decodeURIComponent(password)}`,
			"[pgbouncer]",
			"listen_addr = 127.0.0.1",
			`listen_port = ${port}`,
			"unix_socket_dir =",
			"auth_type = any",
			"pool_mode = transaction",
			`default_pool_size = ${size}`,
			"max_client_conn = 1000",
			...settings,
			"",
		].join("\n"),
	);
	if (unprivileged.uid) for (const path of [directory, file]) await chown(path, unprivileged.uid, unprivileged.gid);
	const pooler = startProgram(program, [file], { cwd: "/", ...unprivileged });
	try {
		await pooler.until(() => answers(port));
	} catch (error) {
		await remove();
		throw error;
	}
	return {
		through: (text) => Object.assign(new URL(text), { hostname: "127.0.0.1", port: String(port) }).href,
		async close() {
			await pooler.stop("SIGKILL");
			await remove();
		},
	};
}

async function answers(port: number): Promise<boolean> {
	const socket = dial(port, "127.0.0.1");
	try {
		await once(socket, "connect");
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
