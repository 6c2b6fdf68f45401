import { conforms, rateLimiterCases } from "@reelmill/conformance";
import { readMigrations } from "@reelmill/engine";
import type { Database, RateLimiter, Row, Statement } from "@reelmill/engine/ports";
import { createFakeClock } from "@reelmill/engine/testing";
import { createPostgresDatabase, createPostgresRateLimiter, type PostgresRateLimiterOptions } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { outcome, run, Undo } from "../support/undo.ts";

const serverUrl = process.env.REELMILL_TEST_DATABASE_URL;
/** A busy machine may take longer to answer than a request would wait. */
const patience = 120_000;
const createPatientLimiter = (options: Omit<PostgresRateLimiterOptions, "timeoutMilliseconds">) =>
	createPostgresRateLimiter({ ...options, timeoutMilliseconds: patience });
/** A database with the engine's schema. Nobody is connected to it, so that each test can copy it. */
let migrated: TestDatabase;
beforeAll(async () => {
	migrated = await openTestDatabase({ serverUrl });
	await migrated.database.migrate(await readMigrations());
	await migrated.database.close();
});
afterAll(() => migrated.close());

const undo = new Undo();
afterEach(() => undo.run());

/** Opens a copy of that database, with a function that makes further connections to it, as other processes do. */
async function openShared() {
	const test = await openTestDatabase({ serverUrl, template: new URL(migrated.url).pathname.slice(1) });
	const others: { close(): Promise<void> }[] = [];
	return {
		database: test.database,
		elsewhere() {
			const database = createPostgresDatabase({
				url: test.url,
				maxConnections: 2,
				statementTimeoutMilliseconds: patience,
			});
			others.push(database);
			return database;
		},
		async close() {
			for (const other of others) await other.close();
			await test.close();
		},
	};
}

async function openForCases() {
	const { database, elsewhere, close } = await openShared();
	const clock = createFakeClock();
	const other = elsewhere();
	const store = {
		lose: async () => void (await run(database, "alter table reelmill.rate_limits rename to rate_limits_away")),
		bringBack: async () => void (await run(database, "alter table reelmill.rate_limits_away rename to rate_limits")),
	};
	const limiters = {
		limiter: createPatientLimiter({ database, clock }),
		elsewhere: createPatientLimiter({ database: other, clock }),
	};
	return { subject: { ...limiters, clock, store }, close };
}

conforms("rate limiter on PostgreSQL", rateLimiterCases, openForCases, { describe, it }, ["store"]);

async function shared() {
	const opened = await openShared();
	undo.add(opened.close);
	return { ...opened, clock: createFakeClock() };
}

/** Counts the statements that pass. Each of them writes. */
function counted(database: Database) {
	const counter = { statements: 0 };
	const query = <R extends Row>(statement: Statement): Promise<R[]> => {
		counter.statements++;
		return database.query<R>(statement);
	};
	return Object.assign(counter, { database: { ...database, query } });
}

async function allowed(
	limiter: RateLimiter,
	times: number,
	key: string,
	limit: number,
	windowSeconds = 60,
): Promise<number> {
	let count = 0;
	for (let time = 0; time < times; time++) if ((await limiter.take(key, limit, windowSeconds)).allowed) count++;
	return count;
}

describe("a rate limiter on PostgreSQL", () => {
	it.each([200, 1000, 2000])(
		"writes at most once in ten requests of a limit of %i, and not at all for those it refuses",
		async (limit) => {
			const { database, clock } = await shared();
			const counter = counted(database);
			const limiter = createPatientLimiter({ database: counter.database, clock });
			expect(await allowed(limiter, limit, "a", limit)).toBe(limit);
			expect(counter.statements).toBeLessThanOrEqual(limit / 10);
			expect(await allowed(limiter, 1, "a", limit)).toBe(0);
			const before = counter.statements;
			expect(before).toBeLessThanOrEqual(limit / 10);
			expect(await allowed(limiter, 3 * limit, "a", limit)).toBe(0);
			expect(counter.statements).toBe(before);
		},
	);

	it("waits for one lease when a thousand requests come at once", async () => {
		const { database, clock } = await shared();
		const counter = counted(database);
		const limiter = createPatientLimiter({ database: counter.database, clock });
		const results = await Promise.all(Array.from({ length: 1000 }, () => limiter.take("a", 2000, 60)));
		expect(results.filter((result) => result.allowed)).toHaveLength(1000);
		expect(counter.statements).toBe(5);
	});

	it.each([3, 10, 200, 2000])(
		"holds a limit of %i over eight processes that take at once, window after window",
		async (limit) => {
			const { elsewhere, clock } = await shared();
			const limiters = Array.from({ length: 8 }, () => createPatientLimiter({ database: elsewhere(), clock }));
			for (let window = 0; window < 3; window++) {
				const attempts = Array.from({ length: 2 * limit }, (_, index) => limiters[index % 8]?.take("a", limit, 60));
				const count = (await Promise.all(attempts)).filter((result) => result?.allowed).length;
				expect(count).toBeLessThanOrEqual(limit);
				expect(count).toBeGreaterThan(limit / 2);
				await clock.advance(60_000);
			}
		},
	);

	it.each([3, 200])(
		"uses the database's clock unless one is given, and its own steady time between, for a limit of %i",
		async (limit) => {
			const { database, elsewhere } = await shared();
			const [here, there] = [database, elsewhere()].map((one) => createPatientLimiter({ database: one })) as [
				RateLimiter,
				RateLimiter,
			];
			const realNow = Date.now;
			const wrong = vi.spyOn(Date, "now");
			undo.add(async () => wrong.mockRestore());
			wrong.mockImplementation(() => realNow() + 3_600_000);
			const windowSeconds = 6;
			expect(await allowed(here, limit, "a", limit, windowSeconds)).toBe(limit);
			for (const step of [-3_600_000, 100_000, 0]) {
				wrong.mockImplementation(() => realNow() + step);
				for (const limiter of [here, there]) {
					const refused = await limiter.take("a", limit, windowSeconds);
					if (refused.allowed) throw new Error("a take over the limit was allowed");
					const half = (windowSeconds * 1000) / 2;
					expect(Math.abs(refused.retryAt.getTime() - realNow() - half)).toBeLessThan(half + 30_000);
				}
			}
			await expect.poll(async () => (await there.take("a", limit, windowSeconds)).allowed).toBe(true);
		},
	);

	it("lets two processes that take in turns have nearly all of a limit", async () => {
		const { elsewhere, clock } = await shared();
		const limiters = [elsewhere(), elsewhere()].map((database) => createPatientLimiter({ database, clock }));
		let count = 0;
		for (let time = 0; time < 200; time++) if ((await limiters[time % 2]?.take("a", 200, 60))?.allowed) count++;
		expect(count).toBeGreaterThanOrEqual(190);
		expect(count).toBeLessThanOrEqual(200);
	});

	it("throws stock away when its window ends, and never passes the limit by it", async () => {
		const { elsewhere, clock } = await shared();
		const [first, second] = [elsewhere(), elsewhere()].map((database) => createPatientLimiter({ database, clock })) as [
			RateLimiter,
			RateLimiter,
		];
		await first.take("a", 200, 60);
		await clock.advance(60_000);
		expect(await allowed(second, 300, "a", 200)).toBe(200);
		expect(await allowed(first, 50, "a", 200)).toBe(0);
	});

	it("loses no count when it forgets keys, only stock", async () => {
		const { database, clock } = await shared();
		const limiter = createPatientLimiter({ database, clock, maxKeys: 1 });
		let count = 0;
		for (let time = 0; time < 30; time++) {
			if ((await limiter.take("a", 200, 60)).allowed) count++;
			await limiter.take("b", 200, 60);
		}
		expect(count).toBeLessThan(30);
		expect(await allowed(limiter, 5, "a", 200)).toBe(0);
		expect(await run(database, "select taken from reelmill.rate_limits where key = 'a'")).toEqual([{ taken: 200 }]);
	});

	it("rejects in time while the database hangs, at once after that, and gives out its stock meanwhile", async () => {
		const { database, elsewhere, clock } = await shared();
		const limiter = createPostgresRateLimiter({ database: elsewhere(), clock, timeoutMilliseconds: 2000 });
		expect((await limiter.take("stocked", 200, 60)).allowed).toBe(true);
		const locked = outcome(
			run(
				database,
				"do $$ begin lock table reelmill.rate_limits in access exclusive mode; perform pg_sleep(120); end $$",
			),
		);
		const sleeping = "from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
		await expect.poll(() => run(database, `select count(*) as many ${sleeping}`)).toEqual([{ many: 1 }]);
		await expect(limiter.take("a", 200, 60)).rejects.toThrow("no answer came in time");
		// "Is lost" means that it didn't ask.
		await expect(limiter.take("b", 200, 60)).rejects.toThrow("is lost");
		expect((await limiter.take("stocked", 200, 60)).allowed).toBe(true);
		await run(database, `select pg_cancel_backend(pid) ${sleeping}`);
		await locked;
		await clock.advance(1000);
		expect((await limiter.take("b", 200, 60)).allowed).toBe(true);
	});

	it("repeats a statement that fails once, so that it refuses nobody", async () => {
		const { database, clock } = await shared();
		let statements = 0;
		const query: typeof database.query = (statement) =>
			statements++ === 0 ? Promise.reject(new Error("lost once")) : database.query(statement);
		const limiter = createPatientLimiter({ database: { ...database, query }, clock });
		const takes = await Promise.all(["a", "b"].map((key) => limiter.take(key, 5, 60)));
		expect(takes).toEqual([{ allowed: true }, { allowed: true }]);
	});

	it("asks a lost database once a second, however many requests come", async () => {
		const { database, clock } = await shared();
		let statements = 0;
		const lost = async () => {
			statements++;
			throw new Error("down");
		};
		const limiter = createPatientLimiter({ database: { ...database, query: lost }, clock });
		for (let second = 1; second <= 3; second++) {
			const results = await Promise.allSettled(
				Array.from({ length: 100 }, () => limiter.take(`key ${second}`, 200, 60)),
			);
			expect(results.every(({ status }) => status === "rejected")).toBe(true);
			await expect(limiter.take("another", 200, 60)).rejects.toThrow("is lost");
			// The first one is repeated at once.
			expect(statements).toBe(second + 1);
			await clock.advance(1000);
		}
	});
});
