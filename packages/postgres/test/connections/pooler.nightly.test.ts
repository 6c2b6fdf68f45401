import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startPgbouncer } from "../support/pgbouncer.ts";
import { run, Undo } from "../support/undo.ts";

let test: TestDatabase;
const undo = new Undo();
beforeAll(async () => {
	test = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
});
afterEach(() => undo.run());
afterAll(() => test.close());

async function behindPgbouncer(settings: readonly string[] = [], query = ""): Promise<PostgresDatabase> {
	const pooler = await startPgbouncer(test.url, 3, settings);
	undo.add(() => pooler.close());
	const url = `${pooler.through(test.url)}${query}`;
	const database = createPostgresDatabase({ url, maxConnections: 20, statementTimeoutMilliseconds: 120_000 });
	undo.add(() => database.close());
	return database;
}

const ignored =
	"ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,idle_session_timeout,tcp_keepalives_idle,tcp_keepalives_interval,tcp_keepalives_count,tcp_user_timeout";

const prepared = "select count(*) as kept from pg_prepared_statements";

it.each([
	{ name: "that refuses the settings of a connection", settings: [] },
	{ name: "that ignores the settings of a connection", settings: [ignored] },
	{ name: "of several hosts", settings: [ignored], query: "?target_session_attrs=read-write" },
])("works behind PgBouncer in transaction mode unasked, $name", async ({ settings, query }) => {
	const database = await behindPgbouncer(settings, query);
	const sums = await Promise.all(
		Array.from({ length: 300 }, (_, n) =>
			// Ten different statements, so that each connection has prepared another one first.
			run(database, `select $1::int + $2::int as sum, '${n % 10}' as which, pg_sleep(0.001)`, n, 1),
		),
	);
	expect(sums.map(([row]) => [row?.sum, row?.which])).toEqual(
		Array.from({ length: 300 }, (_, n) => [n + 1, String(n % 10)]),
	);
	expect(await run(database, prepared)).toEqual([{ kept: 0 }]);
	const [open] = await run(
		test.database,
		"select count(*) as many from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
	);
	expect(open?.many).toBeLessThanOrEqual(3);
	expect(await run(database, "select current_setting('TimeZone') as zone")).toEqual([{ zone: "UTC" }]);
});

it("migrates behind PgBouncer, and leaves no setting of a migration to the next statement", async () => {
	const [one, other] = [await behindPgbouncer([ignored]), await behindPgbouncer([ignored])];
	const migrations = Array.from({ length: 5 }, (_, n) => ({
		name: `000${n}-table`,
		text: `create table table_${n} (n int4); insert into table_${n} values (${n})`,
	}));
	await Promise.all([one.migrate(migrations), other.migrate(migrations)]);
	expect(await run(one, "select name from reelmill.migrations order by name")).toEqual(
		migrations.map(({ name }) => ({ name })),
	);
	const settings = "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement";
	for (let n = 0; n < 10; n++) expect(await run(one, settings)).toEqual([{ lock: "0", statement: "0" }]);
});

it("builds an index around a pooler whose role ends long statements", async () => {
	const name = new URL(test.url).pathname.slice(1);
	await run(test.database, `alter database "${name}" set statement_timeout = '300ms'`);
	undo.add(() => run(test.database, `alter database "${name}" reset statement_timeout`));
	const pooler = await startPgbouncer(test.url, 3, [ignored]);
	undo.add(() => pooler.close());
	const connect = (migrationUrl: string) => {
		const database = createPostgresDatabase({ url: pooler.through(test.url), migrationUrl });
		undo.add(() => database.close());
		return database;
	};
	await run(test.database, "create table public.slow (n int4)");
	await run(test.database, "insert into public.slow select 1 from generate_series(1, 5)");
	await run(
		test.database,
		"create function public.slowly(n int4) returns int4 language plpgsql immutable as $$ begin perform pg_sleep(0.1); return n; end $$",
	);
	const text = "create index concurrently slow_slowly on public.slow (public.slowly(n));";
	const migrations = [{ name: "0009-slow", text }];
	await expect(connect(pooler.through(test.url)).migrate(migrations)).rejects.toMatchObject({ code: "57014" });
	await connect(test.url).migrate(migrations);
	const valid = "select indisvalid as valid from pg_index where indexrelid = 'public.slow_slowly'::regclass";
	expect(await run(test.database, valid)).toEqual([{ valid: true }]);
});

it("prepares statements on a connection of its own", async () => {
	const database = createPostgresDatabase({ url: test.url, maxConnections: 1 });
	undo.add(() => database.close());
	await run(database, "select 1 as one");
	// The question itself is prepared, too.
	expect(await run(database, prepared)).toEqual([{ kept: 2 }]);
});

it("prepares behind a pooler that is said to keep statements apart", async () => {
	const database = await behindPgbouncer([ignored], "?prepare=true");
	const [row] = await run(database, prepared);
	expect(row?.kept).toBe(1);
});
