import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, Job, PlaybackKey, Video } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { finish, type RunningProcess, runServer, withEngine } from "./support/running-server.ts";

const wrongClock = new URL("../../../faults/processes/wrong-clock.ts", import.meta.url);
const adminKey = "admin-key-of-the-clocks-0123456789";
const lockSeconds = 30;
const windowSeconds = 600;
/**
 * How far the clock of one of two servers is wrong, in seconds, one after the other: it steps forwards and backwards.
 */
const steps = [3600, -3600, 100, -100, 15, -15];

type Hook = { readonly at: number; readonly signedAt: number };
type Tenant = { readonly apiKey: string; readonly domainId: string; readonly played: string; readonly deleted: string };

let directory: string;
let clockFile: string;
let database: TestDatabase;
let right: RunningProcess;
let wrong: RunningProcess;
let receiver: Server;
const hooks: Hook[] = [];
const tenants: Tenant[] = [];

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-clocks-"));
	clockFile = join(directory, "clock");
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	receiver = createServer((request, response) => {
		const signedAt = Number(/t=(\d+)/.exec(String(request.headers["service-signature"]))?.[1]) * 1000;
		hooks.push({ at: Date.now(), signedAt });
		request.resume().on("end", () => response.writeHead(204).end());
	}).listen(0, "127.0.0.1");
	const windows = {
		LOCK_SECONDS: `${lockSeconds}`,
		PENDING_UPLOAD_SECONDS: `${windowSeconds}`,
		PROCESSING_SECONDS: `${windowSeconds}`,
		QUEUE_SECONDS: `${windowSeconds}`,
	};
	const settings = { ...windows, SWEEP_SECONDS: "1", ADMIN_KEY: adminKey, WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };
	right = await runServer(directory, database.url, settings);
	const clock = {
		NODE_OPTIONS: `--import=${wrongClock.href}`,
		FAULTS_CLOCK_FILE: clockFile,
		FAULTS_CLOCK_SECONDS: "3600",
	};
	wrong = await runServer(directory, database.url, settings, "any", clock);
	await withEngine(directory, database.url, async (engine) => {
		const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
		const finishAs = (apiKey: string) => (text: string) => finish(engine, apiKey, "private", Buffer.from(text));
		const open = async (step: number): Promise<Tenant> => {
			const { domain, api_key: apiKey } = await engine.domains.create({
				slug: `clock${step}`,
				limits: { max_concurrent_processing: 10 },
			});
			await engine.domains.updateConfig(domain.id, { webhook_url: url, webhook_secret: "whsec_clocks" });
			const [played = "", deleted = ""] = await Promise.all(["played", "deleted"].map(finishAs(apiKey)));
			return { apiKey, domainId: domain.id, played, deleted };
		};
		tenants.push(...(await Promise.all(steps.map(open))));
	});
});
afterAll(async () => {
	for (const server of [right, wrong]) {
		server?.child.kill("SIGKILL");
		await server?.ended;
	}
	receiver.close();
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

type Answer<T> = { readonly status: number; readonly date: number; readonly body: T };
async function ask<T>(
	server: RunningProcess,
	credential: string,
	method: string,
	path: string,
	body?: object,
): Promise<Answer<T>> {
	const headers = { authorization: `Bearer ${credential}`, ...(body && { "content-type": "application/json" }) };
	const response = await fetch(`${server.url}${path}`, {
		method,
		headers,
		...(body && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
	return {
		status: response.status,
		date: Date.parse(response.headers.get("date") ?? ""),
		body: (isJson && text !== "" ? JSON.parse(text) : text) as T,
	};
}

async function setClock(seconds: number): Promise<void> {
	await writeFile(clockFile, `${seconds}`);
	wrong.child.kill("SIGUSR2");
	await expect.poll(async () => Math.abs((await offset()) - seconds), { interval: 50 }).toBeLessThan(2);
}
const offset = async () =>
	Number(/^reelmill_clock_offset_seconds (\S+)$/m.exec(await (await fetch(`${wrong.operations}/metrics`)).text())?.[1]);

/** Half of the smallest step, in milliseconds: who takes a wrong clock for right is further off. */
const tolerance = 7500;
/** About the time that it is, and so many seconds more. */
function expectIn(seconds: number, moment: string | number): void {
	const milliseconds = typeof moment === "number" ? moment : Date.parse(moment);
	expect(Math.abs(milliseconds - Date.now() - seconds * 1000)).toBeLessThan(tolerance);
}
const claimsOf = (token: string) =>
	JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { iat: number; exp: number };

it("with two servers, one of whose clocks steps by up to an hour, nothing ends early, and all ends everywhere within 5 s", async () => {
	const { body: account } = await ask<{ secret: string }>(right, adminKey, "POST", "/admin/v1/service-accounts", {
		name: "clocks",
	});
	const token = async (server: RunningProcess) => {
		const { body } = await ask<{ token: string; expires_at: string }>(server, "", "POST", "/internal/v1/token", {
			name: "clocks",
			secret: account.secret,
		});
		expectIn(3600, body.expires_at);
		return body.token;
	};
	const worker = await token(wrong);
	const [keeper] = tenants as [Tenant];
	const initiate = async (server: RunningProcess) => {
		const { body } = await ask<CreatedVideo>(server, keeper.apiKey, "POST", "/v1/videos", {
			content_type: "video/mp4",
			file_size: 1,
		});
		expectIn(windowSeconds, body.upload.expires_at);
		return body;
	};
	const queue = async (server: RunningProcess) => {
		const { video, upload } = await initiate(server);
		const headers = {
			authorization: `Bearer ${upload.token}`,
			"tus-resumable": "1.0.0",
			"content-type": "application/offset+octet-stream",
		};
		const metadata = Object.entries(upload.metadata).map(
			([name, value]) => `${name} ${Buffer.from(String(value)).toString("base64")}`,
		);
		const created = await fetch(`${server.url}/uploads`, {
			method: "POST",
			headers: { ...headers, "upload-length": "1", "upload-metadata": metadata.join(",") },
			body: "0",
		});
		expect(created.status).toBe(201);
		return video.id;
	};
	const claim = async (server: RunningProcess, id: string) => {
		const { status, body } = await ask<Job>(server, worker, "POST", `/internal/v1/jobs/${id}/claim`, { worker: "w" });
		expect(status).toBe(200);
		expectIn(lockSeconds, body.lock_expires_at);
		return body;
	};
	const state = async (id: string) => (await ask<Video>(right, keeper.apiKey, "GET", `/v1/videos/${id}`)).body.state;

	// One of each that only time can end, made by either server; a claimed job's lock is renewed by both in turn.
	const pending = [await initiate(right), await initiate(wrong)].map(({ video }) => video.id);
	const jobs = [await claim(right, await queue(right)), await claim(wrong, await queue(wrong))];
	const waiting = [await queue(right), await queue(wrong)];
	const slowest = { revoked: 0, rotated: 0, deleted: 0 };

	for (const [number, step] of steps.entries()) {
		const { apiKey, domainId, played, deleted } = tenants[number] as Tenant;
		const mint = async (server: RunningProcess, viewer_ref: string) => {
			const { body } = await ask<PlaybackKey>(server, apiKey, "POST", "/v1/playback-keys", {
				viewer_ref,
				ttl_seconds: 3600,
			});
			const { iat, exp } = claimsOf(body.playback_key);
			expectIn(0, iat * 1000);
			expectIn(3600, exp * 1000);
			return body.playback_key;
		};
		const [revoked, kept] = [await mint(right, "revoked"), await mint(wrong, "kept")];
		const statuses = {
			revoked: () => ask(wrong, revoked, "GET", `/videos/${played}/web.mp4`),
			deleted: () => ask(wrong, kept, "GET", `/videos/${deleted}/web.mp4`),
			rotated: () => ask(wrong, apiKey, "GET", "/v1/limits"),
		};
		for (const look of Object.values(statuses)) expect((await look()).status).toBe(200);
		await ask(right, apiKey, "POST", "/v1/playback-keys/revoke", { viewer_ref: "revoked" });
		expect((await ask(right, apiKey, "DELETE", `/v1/videos/${deleted}`)).status).toBe(204);
		if (number > 0)
			expect(
				(await ask(right, adminKey, "POST", `/admin/v1/domains/${domainId}/rotate-key`, { grace_seconds: 0 })).status,
			).toBe(200);
		const endedAt = performance.now();
		await setClock(step);
		for (const [what, look] of Object.entries(statuses)) {
			if (what === "rotated" && number === 0) continue;
			await expect.poll(async () => (await look()).status, { interval: 50 }).toBeGreaterThan(400);
			slowest[what as keyof typeof slowest] = Math.max(
				slowest[what as keyof typeof slowest],
				performance.now() - endedAt,
			);
		}
		expect((await ask(wrong, kept, "GET", `/videos/${played}/web.mp4`)).status).toBe(200);
		expectIn(0, (await ask(wrong, adminKey, "GET", "/admin/v1/stats")).date);

		for (const [index, job] of jobs.entries()) {
			const server = (index + number) % 2 === 0 ? right : wrong;
			const { status, body } = await ask<{ lock_expires_at: string }>(
				server,
				worker,
				"POST",
				`/internal/v1/jobs/${job.id}/heartbeat`,
				{
					lock: job.lock,
					progress: number,
				},
			);
			expect(status).toBe(200);
			expectIn(lockSeconds, body.lock_expires_at);
		}
		// An event that the wrong server is the first to send.
		expect((await ask(wrong, keeper.apiKey, "DELETE", `/v1/videos/${(await initiate(wrong)).video.id}`)).status).toBe(
			204,
		);
		// A job that goes back to the queue waits for its pause, and not for the wrong clock.
		if (number === 0) {
			const job = await claim(wrong, await queue(wrong));
			expect(
				(
					await ask(wrong, worker, "POST", `/internal/v1/jobs/${job.id}/fail`, {
						lock: job.lock,
						reason: "invalid_media",
						retryable: true,
					})
				).status,
			).toBe(200);
			waiting.push(job.id);
			const [row] = await database.database.query({
				text: "select not_before from reelmill.jobs where id = $1",
				values: [job.id],
			});
			expectIn(5, (row as { not_before: Date }).not_before.getTime());
		}
		for (const id of pending) expect(await state(id)).toBe("pending_upload");
		for (const id of waiting) expect(await state(id)).toBe("queued");
		for (const { id, attempt } of jobs) {
			expect(await state(id)).toBe("encoding");
			expect(attempt).toBe(1);
		}
	}
	for (const milliseconds of Object.values(slowest)) expect(milliseconds).toBeLessThan(5000);
	await expect.poll(() => hooks.length).toBeGreaterThanOrEqual(steps.length * 3);
	for (const { at, signedAt } of hooks) expect(Math.abs(at - signedAt)).toBeLessThan(tolerance);
});
