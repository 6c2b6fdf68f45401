import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Video } from "@reelmill/contracts";
import { createRecordingLogger } from "@reelmill/engine/testing";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { startTestGateway, type TestGateway } from "@reelmill/storage-s3/testing";
import { createWorker, type Worker } from "@reelmill/worker";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { beginUpload, eventually, type FaultyService, openFaultyService } from "../support/open-faulty-service.ts";

let gateway: TestGateway;
let faulty: FaultyService;
let worker: Worker;
let directory: string;
let source: Buffer;
beforeAll(async () => {
	gateway = await startTestGateway();
	faulty = await openFaultyService(gateway.server);
	directory = await mkdtemp(join(tmpdir(), "reelmill-processing-"));
	source = await makeSource(3, { size: "640x360" });
	const { secret } = await faulty.service.engine.accounts.ensure({ name: "worker" });
	worker = createWorker({
		apiUrl: faulty.service.url,
		name: "worker",
		secret,
		workDirectory: join(directory, "work"),
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
		logger: createRecordingLogger(),
		claimWaitSeconds: 1,
		fetchFromTenants: fetch,
	});
	worker.start();
});
afterAll(async () => {
	await worker?.stop();
	await faulty?.close();
	await gateway.close();
	await rm(directory, { recursive: true, force: true });
});
afterEach(() => faulty.proxy.clear());

async function uploaded(): Promise<string> {
	const upload = await beginUpload(faulty, faulty.auth, source);
	expect((await upload.patch(0)).status).toBe(204);
	return upload.id;
}

const isOver = ({ state }: Video) => ["available", "failed", "timeout"].includes(state);

/** Available, and what is served plays to its end without an error. */
async function expectPlayable(id: string): Promise<void> {
	const video = await eventually(() => faulty.video(id), isOver);
	expect({ state: video.state, reason: video.failure_reason }).toEqual({ state: "available", reason: null });
	const web = await fetch(`${faulty.service.url}/videos/${id}/web.mp4`);
	const player = spawn("ffmpeg", ["-v", "error", "-xerror", "-i", "-", "-f", "null", "-"], {
		stdio: ["pipe", "ignore", "pipe"],
	});
	let complaints = "";
	player.stderr.on("data", (words) => (complaints += words));
	player.stdin.end(await web.bytes());
	const [code] = await once(player, "close");
	expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
}

/** What the worker asks of the bucket itself, or the server for it. */
const fetchesSource = (id: string): RequestMatch => ({ method: "GET", path: new RegExp(`/${id}$`) });
const delivers: RequestMatch = { method: "PUT", path: /\/outputs\/.*\.mp4$/ };

test.each<[string, (id: string) => RequestMatch, Fault]>([
	["fetches its source", fetchesSource, { kind: "hold", direction: "answer", afterBytes: 20_000 }],
	["delivers its outputs", () => delivers, { kind: "hold", direction: "request", afterBytes: 1000 }],
])("a video becomes available although the gateway dies while its worker %s", async (_, when, fault) => {
	const upload = await beginUpload(faulty, faulty.auth, source);
	const held = faulty.proxy.use({ when: when(upload.id), times: 1, fault });
	expect((await upload.patch(0)).status).toBe(204);
	await held.hit();
	await gateway.kill();
	held.release();
	await gateway.restart();
	await expectPlayable(upload.id);
});

test.each<[string, RequestMatch, Fault]>([
	["some deliveries are refused", delivers, { kind: "refuse", status: 503 }],
	["some deliveries' answers are lost", delivers, { kind: "lose-answer" }],
	["some deliveries are cut", delivers, { kind: "cut", direction: "request", afterBytes: 1000 }],
])("a video becomes available although %s", async (_, when, fault) => {
	faulty.proxy.use({ when, times: 3, fault });
	await expectPlayable(await uploaded());
});
