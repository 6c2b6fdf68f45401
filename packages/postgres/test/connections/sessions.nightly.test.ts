import { setTimeout as sleep } from "node:timers/promises";
import { openTcpFaultProxy, type TcpFaultProxy } from "@reelmill/fault-proxy";
import { createPostgresDatabase, type PostgresDatabase, type PostgresDatabaseOptions } from "@reelmill/postgres";
import { openTestDatabase, startTestCluster, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openRefusingPooler } from "../support/refusing-pooler.ts";
import { outcome, run, Undo } from "../support/undo.ts";

let test: TestDatabase;
const undo = new Undo();
beforeAll(async () => {
	test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
});
afterEach(() => undo.run());
afterAll(() => test.close());

function connect(options: Partial<PostgresDatabaseOptions> = {}): PostgresDatabase {
	const database = createPostgresDatabase({ url: test.url, ...options });
	undo.add(() => database.close());
	return database;
}

async function openProxy(target: { host: string; port: number }): Promise<TcpFaultProxy> {
	const proxy = await openTcpFaultProxy({ target });
	undo.add(() => proxy.close());
	return proxy;
}

const serverOf = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port || 5432) });
const through = (port: number, query = ""): string =>
	Object.assign(new URL(test.url), { hostname: "127.0.0.1", port: String(port), search: query }).href;

/** The server's connections to this test's database, except the one that asks. */
const otherSessions = "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
const active = async (): Promise<number> => (await run(test.database, `${otherSessions} and state = 'active'`)).length;

const settings =
	"select string_agg(name || '=' || setting, ' ' order by name) as set from pg_settings where source = 'client' and name ~ 'timeout|keepalives'";

it("bounds at the server what a client that is gone leaves there", async () => {
	expect(await run(connect({ statementTimeoutMilliseconds: 3000 }), settings)).toEqual([
		{
			set: "idle_in_transaction_session_timeout=4000 idle_session_timeout=30000 lock_timeout=2500 statement_timeout=4000 tcp_keepalives_count=3 tcp_keepalives_idle=10 tcp_keepalives_interval=5 tcp_user_timeout=25000",
		},
	]);
});

it("leaves no more connections at the server than it has, after clients' machines vanished repeatedly", async () => {
	const sessions = async () => (await run(test.database, otherSessions)).map(({ pid }) => pid);
	const before = await sessions();
	const left = new Set<unknown>();
	const way = await openProxy(serverOf(test.url));
	const database = connect({
		url: through(way.port, "?idle_session_timeout=3000"),
		statementTimeoutMilliseconds: 3000,
	});
	for (let round = 0; round < 3; round++) {
		const part = await openProxy(serverOf(test.url));
		way.redirect(part);
		way.cut();
		await Promise.all(Array.from({ length: 10 }, () => outcome(run(database, "select pg_sleep(0.05)"))));
		const hanging = `select pg_sleep(60), ${round}`;
		const interrupted = Array.from({ length: 5 }, () => outcome(run(database, hanging)));
		await expect
			.poll(() => run(test.database, `${otherSessions} and state = 'active' and query = $1`, hanging))
			.toHaveLength(5);
		part.halfOpen("server");
		await Promise.all(interrupted);
		for (const pid of await sessions()) left.add(pid);
	}
	expect(left.size - before.length).toBeGreaterThan(20);
	way.redirect(serverOf(test.url));
	way.cut();
	// An idle session ends after its time. A busy one ends after its statement's time and then its own.
	await expect.poll(async () => (await sessions()).length).toBeLessThanOrEqual(before.length + 2);
	await database.ping();
});

it("waits for no host that hangs while another will do", async () => {
	const hangs = await openProxy(serverOf(test.url));
	hangs.stall();
	const database = connect({ url: through(hangs.port).replace(/:\d+\//, `:${hangs.port},${new URL(test.url).host}/`) });
	const alone = connect({ url: through(hangs.port) });
	const first = await Promise.race([
		outcome(run(database, "select 1")).then((result) => `of two: ${result}`),
		outcome(run(alone, "select 1")).then((result) => `alone: ${result}`),
	]);
	expect(first).toBe("of two: done");
});

it("ends at the server a statement that was given up", async () => {
	const database = connect({ statementTimeoutMilliseconds: 500 });
	expect(await outcome(run(database, "select pg_sleep(600)"))).toBe("DatabaseError unknown");
	await expect.poll(active).toBe(0);
});

it("knows that a statement had no effect which waited for a lock for too long", async () => {
	await run(test.database, "create table held (n int4)");
	await run(test.database, "insert into held values (1)");
	const held = "with h as (update held set n = 2 returning n) select pg_sleep(60) from h";
	const holder = outcome(run(connect({ statementTimeoutMilliseconds: 120_000 }), held));
	await expect.poll(active).toBe(1);
	// The server gives the lock up in five sixths of the statement's time: its answer must come within the last sixth.
	const database = connect({ statementTimeoutMilliseconds: 6000 });
	await database.ping();
	await expect(run(database, "update held set n = 3")).rejects.toMatchObject({
		code: "55P03",
		unavailable: true,
		outcomeUnknown: false,
	});
	const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where query = $1 and pid <> pg_backend_pid()";
	await run(test.database, cancel, held);
	await holder;
});

it("lets a migration, and the wait for another one's, take as long as it takes", async () => {
	const migrations = [{ name: "0001-slow", text: "create table slow (); select pg_sleep(2)" }];
	await Promise.all([connect, connect].map((open) => open({ statementTimeoutMilliseconds: 300 }).migrate(migrations)));
	expect(await run(test.database, "select name from reelmill.migrations")).toEqual([{ name: "0001-slow" }]);
});

it("cuts no commit short that waits for a synchronous standby", async () => {
	const cluster = await startTestCluster({ synchronous: true });
	undo.add(() => cluster.close());
	await run(connect({ url: cluster.primary.url }), "create table entries (n int4)");
	const database = connect({ url: `${cluster.primary.url}?statement_timeout=1000&lock_timeout=1000` });
	await database.ping();
	await cluster.holdReplication();
	const insert = outcome(run(database, "insert into entries values (1)"));
	expect(await Promise.race([insert, sleep(2000, "waits")])).toBe("waits");
	await cluster.stopPrimary("kill");
	expect(await insert).toBe("DatabaseError unknown");
});

it("drops its settings behind a pooler that refuses them, fails no statement, and says so once", async () => {
	const pooler = await openRefusingPooler(serverOf(test.url));
	undo.add(() => pooler.close());
	const told: string[] = [];
	const tell = (_: object, message: string) => void told.push(message);
	const database = connect({
		url: through(pooler.port),
		logger: { debug: () => {}, info: tell, warn: tell, error: tell },
	});
	const rows = await Promise.all(Array.from({ length: 30 }, () => run(database, "select 1 as n")));
	expect(rows.flat()).toHaveLength(30);
	expect(await run(database, settings)).toEqual([{ set: null }]);
	expect(told.filter((message) => message.includes("takes no settings with a connection"))).toHaveLength(1);
	expect(pooler.refused()).toBeGreaterThan(0);
	const several = connect({ url: through(pooler.port).replace(/:\d+\//, `:${pooler.port},127.0.0.1:1/`) });
	expect(await run(several, "select 1 as n")).toEqual([{ n: 1 }]);
});
