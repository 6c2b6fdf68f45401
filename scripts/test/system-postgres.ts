import { execFile } from "node:child_process";
import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../../packages/postgres/src/testing/temporary-folder.ts";
import { freePort, startProgram } from "../programs/program.ts";
import { findPostgresqlFolder } from "../setup/postgresql.mjs";

export type SystemPostgres = { readonly url: string; stop(): Promise<void> };

/** PostgreSQL refuses to run as root; it runs as this one then (Debian's nobody). */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const settings = [
	...["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"],
	...["fsync=off", "synchronous_commit=off", "full_page_writes=off"],
];
const person = "reelmill";

/**
 * Starts the system's own PostgreSQL, another major version than the embedded one, on an empty folder of its own that
 * `stop` removes.
 */
export async function startSystemPostgres(): Promise<SystemPostgres> {
	const directory = await makeTemporaryFolder("reelmill-test-system-postgres-");
	const remove = () => rm(directory, { recursive: true, force: true });
	try {
		if (unprivileged.uid) await chown(directory, unprivileged.uid, unprivileged.gid);
		const [data, password] = [join(directory, "data"), join(directory, "password")];
		await writeFile(password, person, { mode: 0o644 });
		const how = ["-E", "UTF8", "--no-locale", "--no-sync", "-A", "scram-sha-256", "--pwfile", password];
		const options = { cwd: "/", ...unprivileged };
		await promisify(execFile)(join(findPrograms(), "initdb"), ["-D", data, "-U", person, ...how], options);
		const server = await runSystemPostgres(data);
		return {
			url: server.url,
			async stop() {
				await server.stop();
				await remove();
			},
		};
	} catch (error) {
		await remove();
		throw error;
	}
}

/**
 * Starts it on a folder that holds a database, which `stop` leaves. As root the folder is to be {@link unprivileged}'s.
 */
export async function runSystemPostgres(data: string): Promise<SystemPostgres> {
	const port = await freePort();
	const set = [`port=${port}`, ...settings].flatMap((setting) => ["-c", setting]);
	const server = startProgram(join(findPrograms(), "postgres"), ["-D", data, ...set], { cwd: "/", ...unprivileged });
	await server.until((said) => said.includes("ready to accept connections"));
	return {
		url: `postgres://${person}:${person}@127.0.0.1:${port}/postgres`,
		async stop() {
			await server.stop("SIGINT");
		},
	};
}

function findPrograms(): string {
	const folder = findPostgresqlFolder();
	if (!folder) throw new Error("PostgreSQL is not installed (Debian, Ubuntu: apt-get install postgresql).");
	return folder;
}
