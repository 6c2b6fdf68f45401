import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresDatabase } from "@reelmill/postgres";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServerMetrics } from "../../src/operations/metrics.ts";
import { type OpenServer, openServer } from "../support/open-server.ts";
import { publish } from "../support/running-server.ts";

let directory: string;
let database: TestDatabase;
let server: OpenServer;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-operations-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await openServer(directory, database.url);
});
afterAll(async () => {
	await server?.stop();
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

/** Each sample's value, by its name and labels as they are written. */
async function samples(): Promise<Map<string, number>> {
	const answer = await fetch(`${server.operations}/metrics`);
	expect([answer.status, answer.headers.get("content-type")]).toEqual([
		200,
		expect.stringContaining("text/plain; version=0.0.4"),
	]);
	const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return new Map(
		lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
	);
}

/** Lets nobody into the database any more, as if its server were gone. */
async function takeAway(): Promise<void> {
	const url = new URL(database.url);
	const name = url.pathname.slice(1);
	url.pathname = "/postgres";
	const others = createPostgresDatabase({ url: url.href, maxConnections: 1 });
	await others.query({ text: `alter database ${name} with allow_connections false`, values: [] });
	const text = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
	await others.query({ text, values: [name] });
	await others.close();
}

describe("the operations port", () => {
	it("counts requests by plane and status, and tells what waits, what runs and what is stored", async () => {
		const id = await publish(directory, database.url, Buffer.from("film"));
		for (const _ of [1, 2, 3]) expect(await (await fetch(`${server.url}/videos/${id}/web.mp4`)).text()).toBe("film");
		expect((await fetch(`${server.url}/videos/${id}/none.mp4`)).status).toBe(404);
		expect((await fetch(`${server.url}/v1/domain`)).status).toBe(401);
		await fetch(`${server.url}/v1/videos`, {
			method: "POST",
			headers: { ...server.auth, "content-type": "application/json" },
			body: '{"content_type":"video/mp4","file_size":1}',
		});
		const counted = async () => Object.fromEntries(await samples());
		await expect.poll(counted).toMatchObject({
			'reelmill_http_requests_total{plane="delivery",status="200"}': 3,
			'reelmill_http_requests_total{plane="delivery",status="404"}': 1,
			'reelmill_http_requests_total{plane="tenant",status="401"}': 1,
			'reelmill_http_requests_total{plane="tenant",status="201"}': 1,
			'reelmill_http_requests_in_flight{plane="delivery"}': 0,
			'reelmill_http_request_duration_seconds_count{plane="delivery"}': 4,
			reelmill_delivery_memory_hits_total: 1,
			reelmill_delivery_memory_misses_total: 2,
			// Twice its four bytes, and the place of a small object.
			reelmill_delivery_memory_bytes: 2 * 4 + 1024,
			reelmill_database_up: 1,
			'reelmill_videos{state="available"}': 1,
			'reelmill_videos{state="pending_upload"}': 1,
			reelmill_jobs_waiting: 0,
			reelmill_webhooks_dead_letters: 0,
		});
		expect((await samples()).get("nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
	});

	it("serves nothing else, and is no part of the main port", async () => {
		expect(await (await fetch(`${server.operations}/health`)).json()).toEqual({ status: "ok" });
		for (const path of ["/", "/v1/health", "/metrics/", "/constructor"])
			expect((await fetch(server.operations + path)).status).toBe(404);
		expect((await fetch(`${server.operations}/metrics`, { method: "POST" })).status).toBe(404);
		for (const path of ["/metrics", "/ready", "/health"]) expect((await fetch(server.url + path)).status).toBe(404);
	});

	it("still answers where the database is gone: not ready, and with the numbers that last came from there", async () => {
		expect((await fetch(`${server.operations}/ready`)).status).toBe(200);
		const before = await samples();
		await takeAway();
		const ready = await fetch(`${server.operations}/ready`);
		expect([ready.status, await ready.json()]).toEqual([
			503,
			{ status: "unavailable", checks: { serving: true, database: false, storage: true } },
		]);
		await expect.poll(async () => (await samples()).get("reelmill_database_up")).toBe(0);
		const shown = await samples();
		expect([...shown.keys()].filter((name) => !before.has(name) && name.startsWith("reelmill_videos"))).toEqual([]);
		for (const name of ['reelmill_videos{state="available"}', "reelmill_jobs_waiting", "reelmill_storage_bytes"])
			expect([name, shown.get(name)]).toEqual([name, before.get(name)]);
		expect(before.get("reelmill_installation_age_seconds")).toBe(0);
		expect(shown.get("reelmill_installation_age_seconds")).toBeGreaterThan(0);
	});
});

describe("the gauges of the installation", () => {
	it("are there before the first count, as numbers that nobody knows", async () => {
		const metrics = createServerMetrics({ directory });
		metrics.show({
			installation: () => Promise.reject(new Error("away")),
			thisProcess: () => ({
				memory: { hits: 0, misses: 0, bytes: 0 },
				lostFiles: 0,
				storageFailures: 0,
				masterKeys: { secretsUnderPrevious: 0, previousNeeded: false },
				clockAheadMilliseconds: 0,
			}),
		});
		const text = await metrics.text();
		for (const line of ["reelmill_jobs_waiting Nan", 'reelmill_videos{state="queued"} Nan', "reelmill_database_up 0"])
			expect(text).toContain(line);
		expect(text).toContain("reelmill_installation_age_seconds +Inf");
	});
});
