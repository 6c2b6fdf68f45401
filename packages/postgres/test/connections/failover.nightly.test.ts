import { setTimeout as sleep } from "node:timers/promises";
import { openTcpFaultProxy } from "@reelmill/fault-proxy";
import { createPostgresDatabase, type PostgresDatabase, type PostgresDatabaseOptions } from "@reelmill/postgres";
import { startTestCluster, type TestCluster } from "@reelmill/postgres/testing";
import { afterEach, describe, expect, it } from "vitest";
import { milliseconds, outcome, run, Undo } from "../support/undo.ts";

const undo = new Undo();
afterEach(() => undo.run());

async function start(synchronous: boolean): Promise<TestCluster> {
	const cluster = await startTestCluster({ synchronous });
	undo.add(() => cluster.close());
	const database = connect(cluster.primary.url);
	await run(database, "create table entries (n int8 primary key)");
	await cluster.caughtUp();
	return cluster;
}

function connect(url: string, options: Partial<PostgresDatabaseOptions> = {}): PostgresDatabase {
	const database = createPostgresDatabase({ url, ...options });
	undo.add(() => database.close());
	return database;
}

/** Starts twenty writers, each of which writes again and again. */
function load(database: PostgresDatabase) {
	const acknowledged: { readonly n: number; readonly at: number }[] = [];
	let next = 0;
	let going = true;
	const write = async () => {
		while (going) {
			const n = next++;
			if ((await outcome(run(database, "insert into entries values ($1)", n))) === "done")
				acknowledged.push({ n, at: performance.now() });
			else await sleep(10);
		}
	};
	const writers = Array.from({ length: 20 }, write);
	return {
		acknowledged,
		async more(count: number) {
			const enough = acknowledged.length + count;
			await expect.poll(() => acknowledged.length).toBeGreaterThanOrEqual(enough);
		},
		async stop() {
			going = false;
			await Promise.all(writers);
		},
	};
}

const whyNot = ({ primary, standby }: TestCluster): RegExp =>
	new RegExp(
		`no server will do: 127.0.0.1:${primary.port} can't be used \\(.*ECONNREFUSED.*\\), 127.0.0.1:${standby.port} is a standby$`,
	);
const kept = async (database: PostgresDatabase) =>
	new Set((await run(database, "select n from entries")).map(({ n }) => n));
const cutAll =
	"select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

describe("with several hosts", () => {
	it("serves within 5 s of the promotion if a synchronous primary hangs, and loses nothing acknowledged", async () => {
		const cluster = await start(true);
		const database = connect(cluster.url);
		const writers = load(database);
		await writers.more(200);
		await cluster.stopPrimary("freeze");
		const frozen = performance.now();
		await cluster.promote();
		const promoted = performance.now();
		await writers.more(100);
		const served = writers.acknowledged.find(({ at }) => at > frozen)?.at ?? Number.NaN;
		expect(served - promoted).toBeLessThan(5000);
		// It comes back as a demoted server, and nobody uses it.
		for (const as of ["read-only", "standby"] as const) {
			await cluster.startPrimary(as);
			await run(database, cutAll);
			await writers.more(100);
		}
		await writers.stop();
		const there = await kept(connect(cluster.standby.url));
		expect(writers.acknowledged.filter(({ n }) => !there.has(n))).toEqual([]);
	});

	it("serves within 5 s of the promotion of an asynchronous standby, and loses what it lacked", async () => {
		const cluster = await start(false);
		const database = connect(cluster.url);
		const writers = load(database);
		await writers.more(100);
		const asked = performance.now();
		await cluster.caughtUp();
		const had = await kept(connect(cluster.standby.url));
		await cluster.holdReplication();
		await writers.more(100);
		await cluster.stopPrimary("kill");
		const another = connect(cluster.url, { statementTimeoutMilliseconds: 120_000 });
		const refused = Promise.all(Array.from({ length: 50 }, () => outcome(another.ping())));
		expect(await milliseconds(refused)).toBeLessThan(60_000);
		// On a busy machine the standby may be too slow to say at once what it is.
		await expect
			.poll(() => another.ping().catch((error: unknown) => error))
			.toMatchObject({
				message: expect.stringMatching(whyNot(cluster)),
				unavailable: true,
				outcomeUnknown: false,
			});
		const died = performance.now();
		await cluster.promote();
		const promoted = performance.now();
		await writers.more(100);
		const served = writers.acknowledged.find(({ at }) => at > died)?.at ?? Number.NaN;
		expect(served - promoted).toBeLessThan(5000);
		// It comes back and takes writes, because nobody has told it otherwise. Whoever has seen its successor doesn't take
		// it for the primary.
		await cluster.startPrimary("primary");
		await run(database, cutAll);
		await writers.more(100);
		await writers.stop();
		const there = await kept(connect(cluster.standby.url));
		const lost = writers.acknowledged.filter(({ n }) => !there.has(n));
		expect(lost.length).toBeGreaterThan(0);
		expect(lost.filter(({ n, at }) => had.has(n) || at > died)).toEqual([]);
		expect(lost.filter(({ at }) => at <= asked)).toEqual([]);
		expect(await run(connect(cluster.url), "select inet_server_port() as port")).toEqual([
			{ port: cluster.standby.port },
		]);
	});

	it("leaves a server that takes no writes any more, and no statement fails for it", async () => {
		const cluster = await start(false);
		const database = connect(cluster.url);
		await run(database, "insert into entries values (1)");
		await cluster.caughtUp();
		await run(connect(cluster.primary.url), "alter system set default_transaction_read_only = on");
		await run(connect(cluster.primary.url), "select pg_reload_conf()");
		await cluster.promote();
		const all = Array.from({ length: 50 }, (_, n) => run(database, "insert into entries values ($1)", n + 2));
		await Promise.all(all);
		expect(await run(connect(cluster.standby.url), "select count(*) as rows from entries")).toEqual([{ rows: 51 }]);
	});
});

describe("with one address", () => {
	it("follows an address that moves to the new primary, although connections to the old one are open", async () => {
		const cluster = await start(false);
		const proxy = await openTcpFaultProxy({ target: { host: "127.0.0.1", port: cluster.primary.port } });
		undo.add(() => proxy.close());
		const database = connect(cluster.primary.url.replace(/:\d+\//, `:${proxy.port}/`), { maxConnections: 1 });
		await run(database, "insert into entries values (1)");
		await cluster.caughtUp();
		const standby = connect(cluster.standby.url);
		expect(await kept(standby)).toEqual(new Set([1]));
		await expect(run(standby, "insert into entries values (0)")).rejects.toMatchObject({
			code: "25006",
			unavailable: true,
			outcomeUnknown: false,
		});
		await cluster.promote();
		proxy.redirect({ host: "127.0.0.1", port: cluster.standby.port });
		await run(connect(cluster.primary.url), "alter system set default_transaction_read_only = on");
		await run(connect(cluster.primary.url), "select pg_reload_conf()");
		await expect
			.poll(() => outcome(run(connect(cluster.primary.url), "insert into entries values (0)")))
			.toBe("DatabaseError no effect");
		await run(database, "insert into entries values (2)");
		expect(await kept(connect(cluster.standby.url))).toEqual(new Set([1, 2]));
	});
});
