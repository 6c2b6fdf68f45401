import { DatabaseError } from "@reelmill/engine/ports";
import { createPostgresDatabase, type PostgresDatabaseOptions } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { outcome, run, Undo } from "./support/undo.ts";

let test: TestDatabase;
const undo = new Undo();
beforeAll(async () => {
	test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
});
afterEach(() => undo.run());
afterAll(() => test.close());

function connect(options: Partial<PostgresDatabaseOptions> = {}) {
	const database = createPostgresDatabase({ url: test.url, statementTimeoutMilliseconds: 120_000, ...options });
	undo.add(() => database.close());
	return database;
}

it.each(["", "nothing", "http://localhost/db", "mysql://localhost/db"])(
	"refuses %j as a database's URL, before anything is opened",
	(url) => {
		expect(() => createPostgresDatabase({ url })).toThrow("postgres://user:password@host:port/database");
	},
);

it("opens as many connections as it was allowed, and no more", async () => {
	const database = connect({ maxConnections: 3 });
	await Promise.all(Array.from({ length: 50 }, () => run(database, "/* three */ select pg_sleep(0.005)")));
	const [found] = await run(
		database,
		"select count(*) as open from pg_stat_activity where datname = current_database() and query like '/* three */%'",
	);
	expect(found?.open).toBeLessThanOrEqual(3);
	expect(found?.open).toBeGreaterThan(0);
});

it("lets no statement wait behind another that waits for a lock", async () => {
	const database = connect({ maxConnections: 2 });
	const slow = outcome(run(database, "select pg_sleep(60)"));
	const first = await Promise.race([
		slow.then(() => "slow"),
		Promise.all(Array.from({ length: 20 }, () => run(database, "select 1"))).then(() => "quick"),
	]);
	expect(first).toBe("quick");
	await run(
		test.database,
		"select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
	);
	await slow;
});

it("gives a Date, a boolean and an array the type that the statement wants", async () => {
	const [row] = await run(
		connect(),
		"select $1::timestamptz at time zone 'UTC' = '2026-01-01' as date, $2::jsonb as flag, $3::timestamptz[] as dates, $4::bool[] as flags",
		new Date("2026-01-01T00:00:00Z"),
		true,
		[new Date(0), null],
		[true, false],
	);
	expect(row).toEqual({ date: true, flag: true, dates: [new Date(0), null], flags: [true, false] });
});

it("refuses undefined and a wrong kind of value with a DatabaseError, and goes on", async () => {
	const database = connect({ maxConnections: 1 });
	expect(await outcome(run(database, "select $1::text", undefined))).toBe("DatabaseError no effect");
	const circular: Record<string, unknown> = {};
	circular.self = circular;
	for (let time = 0; time < 3; time++) {
		expect(await outcome(run(database, "select $1::jsonb as j", circular))).toBe("DatabaseError no effect");
		expect(await outcome(run(database, "select $1::bytea as b", "text"))).toBe("DatabaseError no effect");
		expect(await run(database, "select $1::jsonb as j", [1])).toEqual([{ j: [1] }]);
	}
});

it("goes on with its prepared statements when a table that they read has changed", async () => {
	const database = connect({ maxConnections: 1 });
	await run(database, "create table changing (a int4)");
	await run(database, "insert into changing values (1)");
	expect(await run(database, "select * from changing where a = $1", 1)).toEqual([{ a: 1 }]);
	await run(database, "alter table changing add column b text default 'x'");
	expect(await run(database, "select * from changing where a = $1", 1)).toEqual([{ a: 1, b: "x" }]);
});

it("tells what is wrong with the address, the password or the database's name, and never the password", async () => {
	const url = new URL(test.url);
	const bad = (change: (url: URL) => void) => {
		const other = new URL(url);
		change(other);
		return connect({ url: other.href }).ping();
	};
	const said = async (promise: Promise<unknown>) => {
		const error = await promise.then(
			() => undefined,
			(reason: unknown) => reason,
		);
		expect(error).toBeInstanceOf(DatabaseError);
		const { message, outcomeUnknown } = error as DatabaseError;
		expect(message).not.toContain("secret-password");
		expect(outcomeUnknown).toBe(false);
		return message;
	};
	expect(await said(bad((other) => (other.pathname = "/missing")))).toContain('database "missing" does not exist');
	expect(await said(bad((other) => (other.port = "1")))).toContain("ECONNREFUSED");
	expect(await said(bad((other) => (other.username = "stranger")))).toContain("stranger");
	expect(await said(bad((other) => (other.hostname = "no-such-host.invalid")))).toMatch(/ENOTFOUND|EAI_AGAIN/);
});

it("rejects waiting and later statements when it is closed, and lets the running one end", async () => {
	const database = connect({ maxConnections: 1 });
	const running = outcome(run(database, "select pg_sleep(0.2)"));
	const waiting = outcome(run(database, "select 1"));
	await database.close();
	expect([await running, await waiting, await outcome(run(database, "select 1"))]).toEqual([
		"done",
		"DatabaseError no effect",
		"DatabaseError no effect",
	]);
	await database.close();
});

it("tells the operator of a connection that was lost", async () => {
	const told: string[] = [];
	const tell = (_: object, message: string) => void told.push(message);
	const database = connect({ logger: { debug: () => {}, info: tell, warn: tell, error: tell } });
	await outcome(run(database, "select pg_terminate_backend(pg_backend_pid())"));
	expect(told).toEqual(["A connection to the database was lost"]);
});

it("copies a template, and leaves no database behind", async () => {
	await run(test.database, "create table if not exists marker (n int4)");
	const serverUrl = process.env.REELMILL_TEST_DATABASE_URL;
	const original = await openTestDatabase({ serverUrl });
	await run(original.database, "create table copied (n int4)");
	await original.database.close();
	const name = new URL(original.url).pathname.slice(1);
	const copy = await openTestDatabase({ serverUrl, template: name });
	expect(await run(copy.database, "select n from copied")).toEqual([]);
	await copy.close();
	await original.close();
	const left = await run(
		test.database,
		"select datname from pg_database where datname in ($1, $2)",
		name,
		new URL(copy.url).pathname.slice(1),
	);
	expect(left).toEqual([]);
});
