import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createEngine, type Database, type Row, type Statement } from "@reelmill/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocalBuckets } from "../support/local-buckets.ts";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

const hour = 3_600_000;
let opened: OpenedEngine;
let directory: string;
beforeAll(async () => {
	opened = await openEngine();
	directory = await mkdtemp(join(tmpdir(), "reelmill-engine-clock-"));
});
afterAll(async () => {
	await opened.close();
	await rm(directory, { recursive: true, force: true });
});

/** The real database, whose clock is an hour ahead of this machine's. */
function databaseAhead() {
	let asked = 0;
	const database: Database = {
		...opened.database,
		async query<R extends Row>(statement: Statement): Promise<R[]> {
			const rows = await opened.database.query<R>(statement);
			if (!/^select [^;]*clock_timestamp\(\)[^;]* as at$/.test(statement.text)) return rows;
			asked++;
			return rows.map((row) => ({ ...row, at: Number(row["at"]) + hour }));
		},
	};
	return { database, asked: () => asked };
}
const isNear = (moment: number, expected: number) => expect(Math.abs(moment - expected)).toBeLessThan(hour / 2);

it("goes by the database's clock from its start on, and gives it to buckets", async () => {
	const { principal } = await opened.tenant();
	const { database, asked } = databaseAhead();
	const buckets = createLocalBuckets(directory);
	const given: (Pick<Clock, "now"> | undefined)[] = [];
	const { clock: _, ...options } = opened.options;
	const engine = createEngine({
		...options,
		database,
		buckets: {
			open(bucket, clock) {
				given.push(clock);
				return buckets.open(bucket);
			},
		},
	});
	isNear(engine.clock.now(), Date.now());
	expect(asked()).toBe(0);
	await engine.start();
	expect(asked()).toBeGreaterThanOrEqual(2);
	isNear(engine.clock.now(), Date.now() + hour);
	isNear(engine.metrics.thisProcess().clockAheadMilliseconds, -hour);
	const { video, upload } = await engine.videos.create(principal, clip);
	isNear(Date.parse(video.created_at), Date.now() + hour);
	isNear(Date.parse(upload.expires_at), Date.now() + 2 * hour);
	const profile = {
		backend: "s3_tenant",
		endpoint: "https://s3.example",
		region: "eu-1",
		bucket: "one",
		access_key_id: "key",
		secret_access_key: "secret",
	} as const;
	await engine.storage.verify(principal.domainId, profile).catch(() => undefined);
	expect(given.length).toBeGreaterThan(0);
	for (const clock of given) isNear(clock?.now() ?? 0, Date.now() + hour);
	await engine.stop();
});

it("asks again at each sweep, for those who schedule it themselves", async () => {
	const { database, asked } = databaseAhead();
	const { clock: _, ...options } = opened.options;
	const engine = createEngine({ ...options, database });
	await engine.sweep();
	expect(asked()).toBe(1);
	isNear(engine.clock.now(), Date.now() + hour);
	await engine.stop();
});

it("never asks the database where a clock is handed in", async () => {
	const { database, asked } = databaseAhead();
	const engine = createEngine({ ...opened.options, database });
	await engine.start();
	await engine.sweep();
	expect(asked()).toBe(0);
	expect(engine.clock).toBe(opened.clock);
	expect(engine.metrics.thisProcess().clockAheadMilliseconds).toBe(0);
	await engine.stop();
});
