import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { splitMigration } from "../../src/migrations/split-migration.ts";
import { outcome, run, Undo } from "../support/undo.ts";

let test: TestDatabase;
const undo = new Undo();
beforeAll(async () => {
	test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
});
afterEach(() => undo.run());
afterAll(() => test.close());

function connect(url = test.url): PostgresDatabase {
	const database = createPostgresDatabase({ url });
	undo.add(() => database.close());
	return database;
}

const here = "from pg_stat_activity where datname = current_database()";
const waiting = `select count(*) as many from pg_locks where not granted and locktype in ('relation', 'virtualxid') and pid in (select pid ${here})`;
const letGo = `select pg_cancel_backend(pid) ${here} and wait_event = 'PgSleep'`;

it("lets statements pass while a migration waits for a table, and applies it once the table is free", async () => {
	const [database, others] = [connect(), connect()];
	await run(database, "create table crowded (n int4)");
	const holder = run(test.database, "select pg_sleep(120) from crowded right join (values (1)) one(x) on true").then(
		() => "held",
		() => "let go",
	);
	await expect
		.poll(() => run(database, "select count(*) as many from pg_locks where relation = 'crowded'::regclass"))
		.toEqual([{ many: 1 }]);
	const migrated = database.migrate([{ name: "0001-column", text: "alter table crowded add column m int4" }]);
	await expect.poll(() => run(others, waiting), { interval: 10 }).toEqual([{ many: 1 }]);
	const passed = run(others, "insert into crowded values (1)").then(() => "passed");
	expect(await Promise.race([holder, passed])).toBe("passed");
	await run(others, letGo);
	expect(await holder).toBe("let go");
	await migrated;
	expect(await run(database, "select n, m from crowded")).toEqual([{ n: 1, m: null }]);
});

it("builds an index while the table is written to, and waits for no time limit of the URL", async () => {
	const [database, others] = [connect(`${test.url}?statement_timeout=1500`), connect()];
	await run(others, "create table public.written (n int4)");
	// A transaction that wrote: the index has to wait for its end.
	const writing = "with w as (insert into public.written values (1) returning n) select pg_sleep(120) from w";
	const writer = outcome(run(test.database, writing));
	await expect
		.poll(() => run(others, "select count(*) as many from pg_locks where relation = 'public.written'::regclass"))
		.toEqual([{ many: 1 }]);
	const migrated = database.migrate([
		{ name: "0002-index", text: "create index concurrently written_n on public.written (n);" },
	]);
	await expect.poll(() => run(others, waiting), { interval: 10 }).toEqual([{ many: 1 }]);
	const written = run(others, "insert into public.written values (2)").then(() => "written");
	expect(await Promise.race([writer.then(() => "held"), written])).toBe("written");
	// Longer than the URL's limit.
	expect(await Promise.race([migrated.then(() => "built"), sleep(2000, "waits")])).toBe("waits");
	await run(others, letGo);
	await writer;
	await migrated;
	const valid = "select indisvalid as valid from pg_index where indexrelid = 'public.written_n'::regclass";
	expect(await run(others, valid)).toEqual([{ valid: true }]);
});

it("splits off what stands at the beginning and can't be part of a transaction", () => {
	const text = `-- Expand
-- Compatible from 0027: why; and more.
create index concurrently a on s.t (x) where y is null;
  -- between
drop index concurrently if exists s.b;
create table s.u (n int4);
create index concurrently late on s.t (x);`;
	const { alone, together } = splitMigration(text);
	expect(alone).toEqual([
		{ name: "s.a", table: "s.t", text: "create index concurrently a on s.t (x) where y is null;" },
		"drop index concurrently if exists s.b;",
	]);
	expect(together).toMatch(/^create table s\.u/);
	expect(together).toContain("late");
});
