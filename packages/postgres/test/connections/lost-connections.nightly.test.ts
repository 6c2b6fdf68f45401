import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresDatabase, type PostgresDatabaseOptions } from "@reelmill/postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { milliseconds, outcome, run, Undo } from "../support/undo.ts";

const undo = new Undo();
const settings = { fsync: "off" };
let directory: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-postgres-"));
	server = await startEmbeddedPostgres({ directory, settings });
});
afterEach(() => undo.run());
afterAll(async () => {
	await server.stop();
	await rm(directory, { recursive: true, force: true });
});

/** Ends the server by a signal (SIGQUIT is a crash), or in order, and starts it on the same port. */
async function restart(signal?: NodeJS.Signals): Promise<void> {
	const port = Number(new URL(server.url).port);
	if (signal) process.kill(server.pid, signal);
	await server.stop();
	server = await startEmbeddedPostgres({ directory, port, settings });
}

function connect(url: string, options: Partial<PostgresDatabaseOptions> = {}) {
	const database = createPostgresDatabase({ url, ...options });
	undo.add(() => database.close());
	return database;
}

/** Processes that have ended are left out. */
function tellAll(processes: readonly number[], signal: NodeJS.Signals): void {
	for (const pid of processes) {
		try {
			process.kill(pid, signal);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
		}
	}
}

it("loses nothing acknowledged while the server crashes and restarts, and leaves no promise pending", async () => {
	const database = connect(server.url);
	await run(database, "create table entries (n int8 primary key)");
	const acknowledged: number[] = [];
	const outcomes = new Set<string>();
	let next = 0;
	let going = true;
	const writer = async () => {
		while (going) {
			const n = next++;
			const result = await outcome(run(database, "insert into entries values ($1)", n));
			outcomes.add(result);
			if (result === "done") acknowledged.push(n);
		}
	};
	const writers = Array.from({ length: 30 }, writer);
	for (const signal of ["SIGQUIT", "SIGINT", "SIGQUIT"] as const) {
		const before = acknowledged.length;
		await restart(signal);
		// The pool has recovered once as many more were written.
		while (acknowledged.length < before + 200) await run(database, "select 1").catch(() => {});
	}
	going = false;
	await Promise.all(writers);
	expect(outcomes).toContain("done");
	const kept = new Set((await run(database, "select n from entries")).map(({ n }) => n));
	expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
});

it("rejects at once while the server is down, and answers as soon as it is back", async () => {
	const database = connect(server.url, { statementTimeoutMilliseconds: 120_000 });
	await database.ping();
	await server.stop();
	const time = await milliseconds(Promise.all(Array.from({ length: 200 }, () => outcome(run(database, "select 1")))));
	expect(time).toBeLessThan(60_000);
	expect(await outcome(database.ping())).toMatch(/^DatabaseError/);
	await restart();
	expect(await run(database, "select 1 as n")).toEqual([{ n: 1 }]);
});

it("rejects within 10 s, waiting statements too, when the server falls silent with open connections", async () => {
	const database = connect(server.url);
	await run(database, "create table silent (n int8)");
	const [{ pids } = { pids: [] }] = (await run(
		database,
		"select array_agg(pid) as pids from pg_stat_activity where pid is not null",
	)) as { pids: number[] }[];
	const processes = [server.pid, ...pids];
	undo.add(() => tellAll(processes, "SIGCONT"));
	tellAll(processes, "SIGSTOP");
	const results = Array.from({ length: 40 }, () => outcome(run(database, "insert into silent values (1)")));
	expect(await milliseconds(Promise.all(results))).toBeLessThan(10_000);
	expect((await Promise.all(results)).every((result) => result.startsWith("DatabaseError"))).toBe(true);
	tellAll(processes, "SIGCONT");
	expect(await run(database, "select 1 as n")).toEqual([{ n: 1 }]);
});

it("rejects within 10 s where something listens that never speaks", async () => {
	const silent = createServer(() => {});
	silent.listen(0, "127.0.0.1");
	await once(silent, "listening");
	undo.add(() => silent.close());
	const database = connect(`postgres://u:p@127.0.0.1:${(silent.address() as AddressInfo).port}/d`);
	const results = Array.from({ length: 30 }, () => outcome(run(database, "select 1")));
	expect(await milliseconds(Promise.all(results))).toBeLessThan(10_000);
	expect(new Set(await Promise.all(results))).toEqual(new Set(["DatabaseError no effect"]));
});

it("leaves a slow statement alone while the server answers", async () => {
	const database = connect(server.url);
	expect(await run(database, "select 1 as n from pg_sleep(4)")).toEqual([{ n: 1 }]);
});

it("rejects within 10 s when one connection falls silent, and goes on by another one", async () => {
	const database = createPostgresDatabase({ url: server.url, maxConnections: 1 });
	undo.add(() => database.close());
	const [{ pid } = { pid: 0 }] = (await run(database, "select pg_backend_pid() as pid")) as { pid: number }[];
	undo.add(() => tellAll([pid], "SIGCONT"));
	tellAll([pid], "SIGSTOP");
	const results = Array.from({ length: 3 }, () => outcome(run(database, "select 1")));
	expect(await milliseconds(Promise.all(results))).toBeLessThan(10_000);
	const [first, ...waited] = await Promise.all(results);
	expect(first).toBe("DatabaseError unknown");
	for (const result of waited) expect(["done", "DatabaseError no effect"]).toContain(result);
	expect(await run(database, "select 1 as n")).toEqual([{ n: 1 }]);
});
