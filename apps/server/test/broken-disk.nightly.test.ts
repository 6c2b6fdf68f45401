import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedVideo } from "@reelmill/contracts";
import { type DiskFaults, openDiskFaults } from "@reelmill/fault-disk";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Tus, tusFor } from "../../../packages/http/test/support/tus.ts";
import { publish, type RunningProcess, runServer } from "./support/running-server.ts";

const adminKey = "the-operators-key-of-the-broken-disk-test";
let directory: string;
let database: TestDatabase;
let faults: DiskFaults;
let server: RunningProcess;
beforeAll(async () => {
	directory = await realpath(await mkdtemp(join(tmpdir(), "reelmill-broken-disk-")));
	[database, faults] = await Promise.all([
		openTestDatabase({
			serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
			template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
		}),
		openDiskFaults(),
	]);
	server = await runServer(directory, database.url, { ADMIN_KEY: adminKey }, "any", faults.environment);
});
afterEach(() => faults.use([]));
afterAll(async () => {
	server?.child.kill("SIGKILL");
	await server?.ended;
	await faults?.close();
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

const json = { "content-type": "application/json" };
const post = (path: string, body: object, headers: Record<string, string> = server.auth) =>
	fetch(server.url + path, { method: "POST", headers: { ...headers, ...json }, body: JSON.stringify(body) });
async function uploads(count: number): Promise<Tus[]> {
	const made = Array.from({ length: count }, async () => {
		const created = await (await post("/v1/videos", { content_type: "video/mp4", file_size: 10 })).json();
		const tus = tusFor(server.url, created as CreatedVideo);
		expect((await tus.create()).status).toBe(201);
		return tus;
	});
	return Promise.all(made);
}
const ready = async () => (await (await fetch(`${server.operations}/ready`)).json()) as { checks: object };

/** How many milliseconds each of so many requests took, one after the other. */
async function durations(ask: () => Promise<Response>, count = 9): Promise<number[]> {
	const taken: number[] = [];
	for (let number = 0; number < count; number++) {
		const begun = performance.now();
		const answer = await ask();
		await answer.arrayBuffer();
		taken.push(performance.now() - begun);
		expect(answer.status).toBeLessThan(300);
	}
	return taken.toSorted((one, other) => one - other);
}
const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

describe("while syncs hang", () => {
	it("answers what needs no sync within 1 s and all else within 10 s, isn't ready, and recovers with the disk", async () => {
		const film = await publish(directory, database.url, randomBytes(3_000_000));
		const hanging = await uploads(24);
		await faults.use([{ call: "sync", path: directory, effect: { kind: "delay", milliseconds: 120_000 } }]);
		await sleep(50);
		const begun = performance.now();
		const sent = Promise.all(
			hanging.map(async (tus) => {
				const answer = await tus.patch(0, "0123456789");
				return { ...answer, seconds: (performance.now() - begun) / 1000 };
			}),
		);
		const asked = {
			mint: await durations(() => post("/v1/playback-keys", { viewer_ref: "viewer", video_ids: [film] })),
			initiate: await durations(() => post("/v1/videos", { content_type: "video/mp4", file_size: 10 })),
			play: await durations(() =>
				fetch(`${server.url}/videos/${film}/web.mp4`, {
					headers: { range: `bytes=${Math.floor(Math.random() * 1e6)}-2900000` },
				}),
			),
			document: await durations(() => fetch(`${server.url}/v1/openapi.json`, { headers: { "accept-encoding": "br" } })),
		};
		for (const [name, taken] of Object.entries(asked)) expect(median(taken), `${name}: ${taken}`).toBeLessThan(1000);
		expect((await ready()).checks).toEqual({ serving: true, database: true, storage: false });
		for (const answer of await sent) {
			expect(answer).toMatchObject({
				status: 503,
				json: { error: "storage_unavailable" },
				headers: { "retry-after": "5" },
			});
			expect(answer.seconds).toBeLessThan(10);
		}
		expect(server.log().filter(({ unavailable }) => unavailable === "storage")).toHaveLength(1);

		await faults.use([]);
		const healed = performance.now();
		await expect.poll(async () => (await ready()).checks).toMatchObject({ storage: true });
		expect(performance.now() - healed).toBeLessThan(30_000);
		for (const tus of hanging) {
			const finish = async () => {
				const head = await tus.head();
				if (head.status !== 200) return head.status;
				const offset = Number(head.headers["upload-offset"]);
				return offset === 10 ? 204 : (await tus.patch(offset, "0123456789".slice(offset))).status;
			};
			await expect.poll(finish).toSatisfy((status) => status === 204 || status === 409);
		}
	});
});

describe("the readiness", () => {
	it.each([
		["is full", { call: "write", effect: { kind: "fail", code: "ENOSPC" } }],
		["fails to sync", { call: "sync", effect: { kind: "fail", code: "EIO" } }],
		["became read-only", { call: "write", effect: { kind: "fail", code: "EROFS" } }],
	] as const)("is lost while the disk %s, and back when it is mended, with nothing left behind", async (_, rule) => {
		await expect.poll(async () => (await ready()).checks).toMatchObject({ storage: true });
		await faults.use([{ ...rule, path: directory }]);
		await sleep(50);
		expect((await ready()).checks).toEqual({ serving: true, database: true, storage: false });
		await faults.use([]);
		await expect.poll(async () => (await ready()).checks).toMatchObject({ storage: true });
		expect((await readdir(directory)).filter((name) => name.startsWith("~"))).toEqual([]);
	});

	it("asked by many at once costs one try", async () => {
		await faults.use([{ call: "sync", path: directory, effect: { kind: "delay", milliseconds: 120_000 } }]);
		await sleep(50);
		const asked = Array.from({ length: 40 }, ready);
		await expect
			.poll(async () => (await readdir(directory)).filter((name) => name.startsWith("~ready-")).length)
			.toBe(1);
		for (const { checks } of await Promise.all(asked)) expect(checks).toMatchObject({ storage: false });
		expect((await readdir(directory)).filter((name) => name.startsWith("~ready-"))).toHaveLength(1);
	});
});

describe("an archive whose spool", () => {
	const worker = async () => {
		const operator = { authorization: `Bearer ${adminKey}` };
		const name = `worker-${randomBytes(4).toString("hex")}`;
		const { secret } = (await (await post("/admin/v1/service-accounts", { name }, operator)).json()) as {
			secret: string;
		};
		const { token } = (await (await post("/internal/v1/token", { name, secret }, {})).json()) as { token: string };
		return { authorization: `Bearer ${token}`, "content-type": "application/zip" };
	};

	it.each(["EIO", "ENOSPC", "EMFILE"] as const)(
		"can't be written (%s) is 503 with Retry-After, said once",
		async (code) => {
			const headers = await worker();
			await faults.use([{ call: "write", path: join(directory, "reelmill-outputs"), effect: { kind: "fail", code } }]);
			await sleep(50);
			const said = server.log().length;
			for (const _ of [1, 2, 3]) {
				const path = `/internal/v1/jobs/${crypto.randomUUID()}/outputs?lock=${crypto.randomUUID()}`;
				const answer = await fetch(server.url + path, { method: "PUT", headers, body: Buffer.alloc(2_000_000) });
				expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toMatchObject([
					503,
					"5",
					{ error: "storage_unavailable" },
				]);
			}
			expect(
				server
					.log()
					.slice(said)
					.filter(({ msg }) => msg === "request failed").length,
			).toBeLessThan(2);
			expect(await readdir(directory)).not.toContainEqual(expect.stringContaining("reelmill-outputs"));
		},
	);
});
