import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bearer, type Sent, send } from "../../../../packages/http/test/support/send.ts";
import { metadata, offsetType } from "../../../../packages/http/test/support/tus.ts";
import { finish, type RunningProcess, runServer, withEngine } from "../support/running-server.ts";
import { bothAnswered, byProcess, childrenOf } from "../support/several-processes.ts";

const adminKey = "the-operators-key-of-many-processes";
const consoleSecret = "secret-of-the-console-of-many-processes";
let directory: string;
let database: TestDatabase;
let server: RunningProcess;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-processes-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await runServer(directory, database.url, {
		PROCESSES: "2",
		ADMIN_KEY: adminKey,
		CONSOLE_SECRET: consoleSecret,
		LOG_LEVEL: "debug",
	});
});
afterAll(async () => {
	server?.child.kill("SIGTERM");
	await server?.ended;
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

/** On connections of their own, all at once. */
const sendEach = (sent: readonly Sent[]) => Promise.all(sent.map((one) => send(server.url, one)));
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);

async function initiate(fileSize: number): Promise<CreatedVideo> {
	const json = { content_type: "video/mp4", file_size: fileSize };
	const { json: created } = await send(server.url, { method: "POST", path: "/v1/videos", headers: server.auth, json });
	return created as CreatedVideo;
}

it("gives the connections of one port to both processes in turn", async () => {
	const before = await byProcess(server, "reelmill_http_requests_total", 'plane="tenant",status="200"');
	const answers: number[] = [];
	for (let index = 0; index < 40; index++)
		answers.push((await send(server.url, { path: "/v1/domain", headers: server.auth })).status);
	expect(answers).toEqual(times(40, 200));
	const shares = async () => {
		const after = await byProcess(server, "reelmill_http_requests_total", 'plane="tenant",status="200"');
		return after.map((count, index) => (count || 0) - (before[index] || 0));
	};
	// A request is counted after its answer.
	await expect.poll(async () => (await shares()).reduce((sum, share) => sum + share)).toBe(40);
	expect(Math.min(...(await shares()))).toBeGreaterThanOrEqual(10);
});

it("takes an upload whose requests go to both processes", async () => {
	const bytes = randomBytes(1_200_000);
	const pieces = 12;
	const created = await initiate(bytes.length);
	const path = `/uploads/${created.video.id}`;
	const tus = { ...bearer(created.upload.token), "tus-resumable": "1.0.0" };
	const creation = { ...tus, "upload-length": String(bytes.length), "upload-metadata": metadata(created.video.id) };
	expect((await send(server.url, { method: "POST", path: "/uploads", headers: creation })).status).toBe(201);
	for (let index = 0; index < pieces - 1; index++) {
		const offset = (index * bytes.length) / pieces;
		const headers = { ...tus, ...offsetType, "upload-offset": String(offset) };
		const body = bytes.subarray(offset, offset + bytes.length / pieces);
		const patched = await send(server.url, { method: "PATCH", path, headers, body });
		expect([patched.status, patched.headers["upload-offset"]]).toEqual([204, String(offset + body.length)]);
	}
	await bothAnswered(server, "upload", 204);
	const stored = await readFile(join(directory, "uploads", `${created.video.id}.upload`, "bytes"));
	const sent = bytes.subarray(0, (bytes.length / pieces) * (pieces - 1));
	const sum = (of: Uint8Array) => createHash("sha256").update(of).digest("hex");
	expect(sum(stored.subarray(0, sent.length))).toBe(sum(sent));
});

it("serves a private video to a key on both processes, and to nobody once the key is revoked", async () => {
	const key = server.auth.authorization.slice("Bearer ".length);
	const id = await withEngine(directory, database.url, (engine) => finish(engine, key, "private", Buffer.from("film")));
	const post = (path: string, json: object) => send(server.url, { method: "POST", path, headers: server.auth, json });
	const minted = await post("/v1/playback-keys", { viewer_ref: "viewer" });
	const { playback_key } = minted.json as { playback_key: string };
	const look = { path: `/videos/${id}/web.mp4`, headers: bearer(playback_key) };
	const seen = await sendEach(times(12, look));
	expect(seen.map(({ text }) => text)).toEqual(times(12, "film"));
	await bothAnswered(server, "delivery", 200);
	expect((await post("/v1/playback-keys/revoke", { viewer_ref: "viewer" })).status).toBeLessThan(300);
	await expect.poll(async () => statuses(await sendEach(times(8, look)))).toEqual(times(8, 401));
	expect(statuses(await sendEach(times(8, look)))).toEqual(times(8, 401));
});

it("knows a session of the console on both processes, and forgets it on both", async () => {
	const console = { "x-service-console": "1" };
	const session = { path: "/console/v1/session", headers: console };
	const signedIn = await send(server.url, { ...session, method: "POST", json: { secret: consoleSecret } });
	const cookie = (signedIn.headers["set-cookie"]?.[0] ?? "").split(";", 1)[0] ?? "";
	const stats = { path: "/admin/v1/stats", headers: { ...console, cookie } };
	expect(statuses(await sendEach(times(8, stats)))).toEqual(times(8, 200));
	await bothAnswered(server, "admin", 200);
	const out = await send(server.url, { ...session, method: "DELETE", headers: { ...console, cookie } });
	expect(out.status).toBe(204);
	await expect.poll(async () => statuses(await sendEach(times(8, stats)))).toEqual(times(8, 401));
});

it("counts a limit over both processes", async () => {
	const minted = statuses(await sendEach(times(9, { method: "POST", path: "/v1/sandbox/session" })));
	expect(minted.filter((status) => status === 200)).toHaveLength(3);
	expect(minted.filter((status) => status === 429)).toHaveLength(6);
});

it("tells in the log which process says something", async () => {
	const told = server.log().filter((line) => "request_id" in line);
	expect(told.length).toBeGreaterThan(0);
	for (const { process } of told as { process?: number }[]) expect([1, 2]).toContain(process);
});

it("has every metric once for each process, and those of the installation once", async () => {
	const text = await (await fetch(`${server.operations}/metrics`)).text();
	const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	const names = samples.map((line) => line.slice(0, line.lastIndexOf(" ")));
	expect(new Set(names).size).toBe(names.length);
	for (const once of ["reelmill_jobs_waiting", 'reelmill_disk_free_bytes{disk="data"}', "reelmill_database_up"])
		expect(names).toContain(once);
	expect(samples).toContain("reelmill_processes 2");
	expect(await byProcess(server, "reelmill_database_statements_waiting")).toEqual([0, 0]);
	expect(await childrenOf(server.child.pid)).toHaveLength(2);
});
