import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeTemporaryFolder } from "../../packages/postgres/src/testing/temporary-folder.ts";
import { findPostgresqlFolder } from "../setup/postgresql.mjs";

export type SystemPostgres = { readonly url: string; stop(): Promise<void> };

/** PostgreSQL refuses to run as root; it runs as this one then (Debian's nobody). */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const settings = [
	"listen_addresses=127.0.0.1",
	"unix_socket_directories=",
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"max_connections=300",
];

/**
 * Starts the system's own PostgreSQL, another major version than the embedded one, on an empty folder of its own that
 * `stop` removes.
 */
export async function startSystemPostgres(): Promise<SystemPostgres> {
	const programs = findPostgresqlFolder();
	if (!programs) throw new Error("PostgreSQL is not installed (Debian, Ubuntu: apt-get install postgresql).");
	const directory = await makeTemporaryFolder("reelmill-test-system-postgres-");
	const remove = () => rm(directory, { recursive: true, force: true });
	try {
		if (unprivileged.uid) await chown(directory, unprivileged.uid, unprivileged.gid);
		const data = join(directory, "data");
		const password = join(directory, "password");
		await writeFile(password, "reelmill", { mode: 0o644 });
		await finish(
			start(join(programs, "initdb"), [
				"-D",
				data,
				"-U",
				"reelmill",
				"-E",
				"UTF8",
				"--no-locale",
				"--no-sync",
				"-A",
				"scram-sha-256",
				"--pwfile",
				password,
			]),
		);
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
	const programs = findPostgresqlFolder();
	if (!programs) throw new Error("PostgreSQL is not installed (Debian, Ubuntu: apt-get install postgresql).");
	const port = await freePort();
	const server = start(join(programs, "postgres"), [
		"-D",
		data,
		"-p",
		String(port),
		...settings.flatMap((setting) => ["-c", setting]),
	]);
	await ready(server);
	return {
		url: `postgres://reelmill:reelmill@127.0.0.1:${port}/postgres`,
		async stop() {
			const gone = once(server, "exit");
			server.kill("SIGINT");
			await gone;
		},
	};
}

function start(program: string, args: readonly string[]): ChildProcess {
	return spawn(program, args, { cwd: "/", stdio: ["ignore", "pipe", "pipe"], ...unprivileged });
}

async function finish(child: ChildProcess): Promise<void> {
	let output = "";
	child.stdout?.on("data", (bytes) => (output += bytes));
	child.stderr?.on("data", (bytes) => (output += bytes));
	const [code] = await once(child, "close");
	if (code !== 0) throw new Error(`${child.spawnfile} failed: ${output}`);
}

/**
 * Resolves when the server says that it takes connections, and keeps reading its words so that it never waits for us.
 */
async function ready(server: ChildProcess): Promise<void> {
	let words = "";
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.once("exit", () => reject(new Error(`The system's PostgreSQL ended at once: ${words}`)));
		if (!server.stderr) throw new Error("no stderr");
		createInterface({ input: server.stderr }).on("line", (line) => {
			words += `${line}\n`;
			if (line.includes("ready to accept connections")) resolve();
		});
	});
	server.stdout?.resume();
}

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const probe = createServer().once("error", reject);
		probe.listen(0, "127.0.0.1", () => {
			const address = probe.address();
			probe.close(() =>
				address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
			);
		});
	});
}
