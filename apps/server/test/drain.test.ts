import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { publish, type RunningProcess, runServer } from "./support/running-server.ts";

const source = randomBytes(4_000_000);
const adminKey = "the-operators-key-of-the-drain-test";
let directory: string;
let database: TestDatabase;
let servers: RunningProcess[];
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-drain-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	servers = [];
});
afterEach(async () => {
	for (const { child, ended } of servers) {
		child.kill("SIGKILL");
		await ended;
	}
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

async function run(settings: Record<string, string> = {}): Promise<RunningProcess> {
	const server = await runServer(directory, database.url, { ADMIN_KEY: adminKey, ...settings });
	servers.push(server);
	return server;
}
const answerTo = async (sent: ClientRequest): Promise<IncomingMessage> =>
	(await once(sent, "response"))[0] as IncomingMessage;
const ready = async ({ operations }: RunningProcess) => {
	const answer = await fetch(`${operations}/ready`);
	return { status: answer.status, body: await answer.json() };
};

/** Resolves when the server is answering a request of this plane. */
const inFlight = (server: RunningProcess, plane: string) =>
	expect
		.poll(async () => (await fetch(`${server.operations}/metrics`)).text())
		.toMatch(new RegExp(`^reelmill_http_requests_in_flight\\{plane="${plane}"[^}]*\\} 1$`, "m"));

/** An upload whose first half is on its way, on a connection that stays open. */
async function halfUploaded(server: RunningProcess) {
	const { url, auth } = server;
	const json = { "content-type": "application/json" };
	const body = JSON.stringify({ content_type: "video/mp4", file_size: source.length });
	const { video, upload } = (await (
		await fetch(`${url}/v1/videos`, { method: "POST", headers: { ...auth, ...json }, body })
	).json()) as CreatedVideo;
	const token = { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" };
	const creation = { ...token, "upload-length": String(source.length), "upload-metadata": metadata(video.id) };
	expect((await fetch(upload.endpoint, { method: "POST", headers: creation })).status).toBe(201);
	const path = `/uploads/${video.id}`;
	const headers = { ...token, ...offsetType, "upload-offset": "0", "content-length": String(source.length) };
	const patch = request(url + path, { method: "PATCH", headers, agent: false });
	patch.on("error", () => undefined);
	await new Promise((resolve) => patch.write(source.subarray(0, source.length / 2), resolve));
	await inFlight(server, "upload");
	return { patch, path, token };
}

/**
 * The headers of a worker's requests. Issuing its token is a request of its plane, too, so this comes before any that
 * is counted there.
 */
async function workerHeaders({ url }: RunningProcess): Promise<Record<string, string>> {
	const json = { "content-type": "application/json" };
	const account = {
		method: "POST",
		headers: { authorization: `Bearer ${adminKey}`, ...json },
		body: '{"name":"worker"}',
	};
	const { secret } = (await (await fetch(`${url}/admin/v1/service-accounts`, account)).json()) as { secret: string };
	const issued = await fetch(`${url}/internal/v1/token`, {
		method: "POST",
		headers: json,
		body: JSON.stringify({ name: "worker", secret }),
	});
	const { token } = (await issued.json()) as { token: string };
	return { authorization: `Bearer ${token}`, ...json };
}

it("lets transfers end, answers waiting claims, is unready at once, takes no connection, and ends with 0", async () => {
	const server = await run({ DRAIN_SECONDS: "3600" });
	const film = randomBytes(48 * 1024 * 1024);
	const filmId = await publish(directory, database.url, film);
	expect(await ready(server)).toEqual({
		status: 200,
		body: { status: "ok", checks: { serving: true, database: true, storage: true } },
	});
	const { patch } = await halfUploaded(server);
	const viewer = await answerTo(get(`${server.url}/videos/${filmId}/web.mp4`, { agent: false }));
	const headers = await workerHeaders(server);
	const claim = fetch(`${server.url}/internal/v1/jobs/claim`, {
		method: "POST",
		headers,
		body: '{"worker":"w","wait_seconds":30}',
	});
	await expect
		.poll(
			async () =>
				(await (await fetch(`${server.operations}/metrics`)).text()).match(/in_flight\{plane="internal"\} (\d)/)?.[1],
		)
		.toBe("1");

	server.child.kill("SIGTERM");
	await expect
		.poll(() => ready(server))
		.toMatchObject({ status: 503, body: { status: "unavailable", checks: { serving: false } } });
	expect((await claim).status).toBe(204);
	await expect.poll(() => fetch(`${server.url}/v1/health`).catch(() => "refused")).toBe("refused");

	const uploaded = answerTo(patch);
	patch.end(source.subarray(source.length / 2));
	expect(await uploaded).toMatchObject({ statusCode: 204, headers: { "upload-offset": String(source.length) } });
	const parts: Buffer[] = [];
	for await (const part of viewer) parts.push(part as Buffer);
	expect(Buffer.concat(parts).equals(film)).toBe(true);
	expect(await server.ended).toBe(0);
});

it.each(["1", "2"])(
	"cuts what takes longer than allowed, and keeps what came of an upload, with PROCESSES=%s",
	async (processes) => {
		const server = await run({ DRAIN_SECONDS: "3", PROCESSES: processes });
		const { patch, path, token } = await halfUploaded(server);
		const cut = new Promise((resolve) => patch.on("close", resolve));
		server.child.kill("SIGTERM");
		await cut;
		expect(await server.ended).toBe(0);
		const next = await run();
		const head = await fetch(next.url + path, { method: "HEAD", headers: token });
		expect(head.status).toBe(200);
		const offset = Number(head.headers.get("upload-offset"));
		expect(offset).toBeGreaterThan(0);
		expect(offset).toBeLessThanOrEqual(source.length / 2);
	},
);

it("ends at once at the second signal", async () => {
	const server = await run({ DRAIN_SECONDS: "3600" });
	await halfUploaded(server);
	server.child.kill("SIGTERM");
	await expect.poll(() => ready(server)).toMatchObject({ status: 503 });
	await new Promise((resolve) => setTimeout(resolve, 1100));
	expect(server.child.exitCode).toBeNull();
	server.child.kill("SIGTERM");
	expect(await server.ended).toBe(1);
});
