import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createPostgresDatabase } from "@reelmill/postgres";
import {
	type EmbeddedPostgres,
	type EmbeddedPostgresOptions,
	startEmbeddedPostgres,
} from "@reelmill/postgres/embedded";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { unseen } from "../support/namespaces.ts";
import { run, Undo } from "../support/undo.ts";

const undo = new Undo();
let template: string;
beforeAll(async () => {
	template = await mkdtemp(join(tmpdir(), "reelmill-postgres-"));
	await (await startEmbeddedPostgres({ directory: template, settings: { fsync: "off" } })).stop();
});
afterEach(() => undo.run());
afterAll(() => rm(template, { recursive: true, force: true }));

/** Returns a directory that was started on before: a copy, because making one takes long. */
async function usedDirectory(): Promise<string> {
	const directory = await undo.directory();
	await cp(template, directory, { recursive: true });
	return directory;
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
	const server = await startEmbeddedPostgres(options);
	undo.add(() => server.stop());
	return server;
}

function connect(url: string) {
	const database = createPostgresDatabase({ url });
	undo.add(() => database.close());
	return database;
}

const startingProcess = [process.execPath, fileURLToPath(new URL("../support/starting-process.ts", import.meta.url))];

/** Starts another process with a server on `directory`, by a command of its own. */
async function startElsewhere(
	directory: string,
	{
		env = process.env,
		command = [...startingProcess, directory],
	}: { env?: NodeJS.ProcessEnv; command?: string[] } = {},
): Promise<{ process: ChildProcess; url: string; pid: number }> {
	const [program = "", ...args] = command;
	const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
	undo.add(() => child.kill("SIGKILL"));
	const [line] = await once(createInterface(child.stdout), "line");
	return { process: child, ...JSON.parse(line) };
}

async function kill(child: ChildProcess): Promise<void> {
	child.kill("SIGKILL");
	await once(child, "exit");
}

/** Whether the process runs. A process that has ended may still be listed until its new parent asks for it. */
const alive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
};

it("makes the database once, and starts again with all that was in it", async () => {
	const directory = join(await undo.directory(), "made", "for", "it");
	const steps: string[] = [];
	const first = await start({ directory, onProgress: (step) => steps.push(step) });
	const database = connect(first.url);
	expect(
		await run(
			database,
			"select current_setting('server_version_num')::int4 / 10000 as version, current_setting('fsync') as fsync",
		),
	).toEqual([{ version: 18, fsync: "on" }]);
	await run(database, "create table kept (n int4)");
	await database.close();
	await first.stop();
	expect(alive(first.pid)).toBe(false);
	const second = await start({ directory, onProgress: (step) => steps.push(step) });
	expect(await run(connect(second.url), "select n from kept")).toEqual([]);
	expect(steps).toEqual(["Creating the database"]);
});

it("lets in nobody without the password, listens on the loopback only, and runs without root's rights", async () => {
	const directory = await usedDirectory();
	const server = await start({ directory });
	const url = new URL(server.url);
	expect(url.hostname).toBe("127.0.0.1");
	const database = connect(server.url);
	expect(
		await run(
			database,
			"select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets",
		),
	).toEqual([{ addresses: "127.0.0.1", sockets: "" }]);
	url.password = "guess";
	await expect(connect(url.href).ping()).rejects.toThrow("password authentication failed");
	expect((await stat(join(directory, "password"))).mode & 0o777).toBe(0o600);
	expect((await stat(join(directory, "data"))).mode & 0o077).toBe(0);
	const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
	if (status) expect(status).toMatch(/^CapEff:\t0+$/m);
});

it("runs as another user than root, with user namespaces and without, one after the other", async () => {
	const outer = await undo.directory();
	await chmod(outer, 0o755);
	await writeFile(join(outer, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
	const directory = join(outer, "database");
	const elsewhere = await startElsewhere(directory, { env: { ...process.env, PATH: `${outer}:${process.env.PATH}` } });
	const user = process.getuid?.() || 65_534;
	expect([(await stat(directory)).uid, (await stat(join(directory, "data"))).uid]).toEqual([user, user]);
	await kill(elsewhere.process);
	await connect((await start({ directory })).url).ping();
});

it("gets nothing of its starter's environment: no variables of libpq or the loader, and no secrets", async () => {
	const directory = join(await undo.directory(), "database");
	const stray = {
		PGHOST: "/elsewhere",
		PGDATA: "/elsewhere",
		PGOPTIONS: "-c work_mem=1GB",
		PGPASSWORD: "x",
		TZ: "Asia/Tokyo",
		REELMILL_ADMIN_KEY: "secret",
	};
	const elsewhere = await startElsewhere(directory, {
		env: { ...process.env, ...stray, LD_LIBRARY_PATH: "/elsewhere", NODE_ENV: "test" },
	});
	const environment = await readFile(`/proc/${elsewhere.pid}/environ`, "utf8").catch(() => "");
	const names = environment.split("\0").map((line) => line.split("=", 1)[0]);
	if (process.platform === "linux") expect(names.filter((name) => name !== "").sort()).toEqual(["LC_ALL", "PATH"]);
	await connect(elsewhere.url).ping();
	await kill(elsewhere.process);
	await (await start({ directory })).stop();
});

it("names the process that uses the directory, another or this one", async () => {
	const directory = await usedDirectory();
	const elsewhere = await startElsewhere(directory);
	await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
		`${directory} is in use by process ${elsewhere.process.pid} on ${hostname()}: stop it`,
	);
	expect(alive(elsewhere.pid)).toBe(true);
	await kill(elsewhere.process);
	const server = await start({ directory });
	await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(`in use by process ${process.pid}`);
	await connect(server.url).ping();
});

it("ends with the process that started it, and serves what it acknowledged within 5 s of the next start", async () => {
	const directory = await usedDirectory();
	const took: number[] = [];
	for (const n of [1, 2, 3]) {
		const elsewhere = await startElsewhere(directory);
		const before = connect(elsewhere.url);
		await run(before, `create table kept_${n} as select ${n} as n`);
		await before.close();
		await kill(elsewhere.process);
		const begun = performance.now();
		const server = await start({ directory });
		expect(await run(connect(server.url), `select n from kept_${n}`)).toEqual([{ n }]);
		took.push(performance.now() - begun);
		expect(alive(elsewhere.pid)).toBe(false);
		await server.stop();
	}
	expect(Math.min(...took)).toBeLessThan(5000);
});

it("starts after a kill also where PostgreSQL was left in another container, which lives on", async () => {
	const directory = await usedDirectory();
	await startElsewhere(directory, {
		command: unseen([
			"sh",
			"-c",
			'said=$("$@"); echo "$said"; exec sleep 60',
			"sh",
			...startingProcess,
			directory,
			"killed",
		]),
	});
	await connect((await start({ directory })).url).ping();
});

it("waits while a process of the killed one's PostgreSQL is left, and touches nothing before", async () => {
	const directory = await usedDirectory();
	const elsewhere = await startElsewhere(directory);
	process.kill(elsewhere.pid, "SIGSTOP");
	undo.add(() => alive(elsewhere.pid) && process.kill(elsewhere.pid, "SIGKILL"));
	await kill(elsewhere.process);
	const { promise: waits, resolve } = Promise.withResolvers<string>();
	const logger = {
		debug: () => {},
		info: (_: object, message: string) => resolve(message),
		warn: () => {},
		error: () => {},
	};
	let isStarted = false;
	const starting = start({ directory, logger }).then((server) => {
		isStarted = true;
		return server;
	});
	expect(await waits).toContain("waiting until it has ended");
	const pidFile = join(directory, "data", "postmaster.pid");
	expect([isStarted, (await readFile(pidFile, "utf8")).split("\n")[0]]).toEqual([false, String(elsewhere.pid)]);
	process.kill(elsewhere.pid, "SIGCONT");
	await connect((await starting).url).ping();
	expect(alive(elsewhere.pid)).toBe(false);
});

it("lets exactly one of five that start at once have the directory", async () => {
	const directory = await undo.directory();
	const results = await Promise.allSettled(Array.from({ length: 5 }, () => start({ directory })));
	expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	for (const result of results)
		if (result.status === "rejected") expect(String(result.reason)).toContain("is in use by");
});

it("starts over a pid file whose number another process has by now", async () => {
	const directory = await usedDirectory();
	const first = await start({ directory });
	const pidFile = await readFile(join(directory, "data", "postmaster.pid"), "utf8");
	await first.stop();
	await writeFile(join(directory, "data", "postmaster.pid"), pidFile.replace(/^\d+/, String(process.pid)));
	const server = await start({ directory });
	await connect(server.url).ping();
	expect(server.pid).not.toBe(process.pid);
});

it("says that the port is taken, and leaves the directory free", async () => {
	const directory = await usedDirectory();
	const other = createServer();
	other.listen(0, "127.0.0.1");
	await once(other, "listening");
	undo.add(() => other.close());
	const { port } = other.address() as AddressInfo;
	await expect(startEmbeddedPostgres({ directory, port })).rejects.toThrow(`Port ${port} is taken`);
	await connect((await start({ directory })).url).ping();
});

it("says that the directory can't be written", async () => {
	const directory = await undo.directory();
	await writeFile(join(directory, "file"), "");
	await expect(startEmbeddedPostgres({ directory: join(directory, "file", "below") })).rejects.toThrow(
		/directory .*below can't be written \(ENOTDIR\)/,
	);
	if (process.getuid?.() === 0) return;
	await mkdir(join(directory, "closed"));
	await chmod(join(directory, "closed"), 0o500);
	await expect(startEmbeddedPostgres({ directory: join(directory, "closed") })).rejects.toThrow(
		/can't be written \(EACCES\)/,
	);
});

it("refuses a directory that another version made", async () => {
	const directory = await undo.directory();
	await mkdir(join(directory, "data"));
	await writeFile(join(directory, "data", "PG_VERSION"), "15\n");
	await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(/was made by PostgreSQL 15, this is 18/);
});

it("passes on what the server says when it doesn't start", async () => {
	const directory = await usedDirectory();
	await expect(startEmbeddedPostgres({ directory, settings: { shared_buffers: "many" } })).rejects.toThrow(
		/did not start: .*shared_buffers/,
	);
});

it("tells the operator when the server ends by itself, and stops without a word afterwards", async () => {
	const directory = await usedDirectory();
	const { promise: told, resolve } = Promise.withResolvers<string>();
	const logger = {
		debug: () => {},
		info: () => {},
		warn: () => {},
		error: (_: object, message: string) => resolve(message),
	};
	const server = await start({ directory, logger });
	process.kill(server.pid, "SIGQUIT");
	expect(await told).toContain("has ended by itself");
	await server.stop();
	await server.stop();
});
