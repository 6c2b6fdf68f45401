import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, Job } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bearer, send } from "../../../../packages/http/test/support/send.ts";
import { metadata, offsetType } from "../../../../packages/http/test/support/tus.ts";
import { type RunningProcess, runServer } from "../support/running-server.ts";
import { byProcess } from "../support/several-processes.ts";

const adminKey = "the-operators-key-of-waiting-claims";
let directory: string;
let database: TestDatabase;
let server: RunningProcess;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-claims-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await runServer(directory, database.url, { PROCESSES: "2", ADMIN_KEY: adminKey });
});
afterEach(async () => {
	server?.child.kill("SIGTERM");
	await server?.ended;
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

const post = (path: string, headers: Record<string, string>, json: object) =>
	send(server.url, { method: "POST", path, headers, json });

async function upload(): Promise<string> {
	const { json } = await post("/v1/videos", server.auth, { content_type: "video/mp4", file_size: 10 });
	const { video, upload } = json as CreatedVideo;
	const tus = { ...bearer(upload.token), "tus-resumable": "1.0.0" };
	const creation = { ...tus, "upload-length": "10", "upload-metadata": metadata(video.id) };
	await send(server.url, { method: "POST", path: "/uploads", headers: creation });
	const patch = { ...tus, ...offsetType, "upload-offset": "0" };
	await send(server.url, { method: "PATCH", path: `/uploads/${video.id}`, headers: patch, body: "0123456789" });
	return video.id;
}

it("gives jobs to workers that wait on either process, each job to one", async () => {
	const made = await post("/admin/v1/service-accounts", bearer(adminKey), { name: "worker" });
	const { secret } = made.json as { secret: string };
	const issued = await post("/internal/v1/token", {}, { name: "worker", secret });
	const { token } = issued.json as { token: string };
	const claim = (worker: string) => post("/internal/v1/jobs/claim", bearer(token), { worker, wait_seconds: 30 });
	const inFlight = () => byProcess(server, "reelmill_http_requests_in_flight", 'plane="internal"');
	const claims: ReturnType<typeof claim>[] = [];
	const arrive = async (worker: string) => {
		claims.push(claim(worker));
		await expect.poll(async () => (await inFlight()).reduce((sum, count) => sum + (count || 0))).toBe(claims.length);
	};
	// Until a worker waits on each of both processes.
	while (claims.length < 2 || (await inFlight()).includes(0)) await arrive(`worker ${claims.length}`);
	const ids = await Promise.all(claims.map(() => upload()));
	const answers = await Promise.all(claims);
	expect(answers.map(({ status }) => status)).toEqual(claims.map(() => 200));
	const jobs = answers.map(({ json }) => (json as Job).id);
	expect(jobs.toSorted()).toEqual(ids.toSorted());
});
