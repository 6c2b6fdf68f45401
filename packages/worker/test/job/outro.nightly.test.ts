import { createHash } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ErrorCode } from "@reelmill/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "../../src/index.ts";
import { contentsOf, entriesOf, onlyMp4 } from "../support/fixtures.ts";
import { type InternalPlaneServer, openInternalPlane } from "../support/internal-plane-server.ts";
import { smallSource } from "../support/make-source.ts";
import { startWorker } from "../support/start-worker.ts";

let source: Buffer;
let outro: Buffer;
/** A work directory with the finished outputs of the pinned job, without its outro. Tests copy it. */
let template: string;
let workDirectory: string;
let server: InternalPlaneServer | undefined;
let worker: Worker | undefined;
const stop = async () => {
	const stopped = worker?.stop();
	await server?.close();
	await stopped;
};
beforeAll(async () => {
	source = await smallSource();
	outro = await smallSource(1);
	template = workDirectory = await mkdtemp(join(tmpdir(), "reelmill-outro-"));
	await ended({ ...pinned, outro, ...refusing("storage_unavailable") }, "/fail");
	await stop();
});
afterAll(() => rm(template, { recursive: true }));
beforeEach(async () => {
	workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
});
afterEach(async () => {
	await stop();
	await rm(workDirectory, { recursive: true });
});
const copyTemplate = () => cp(template, workDirectory, { recursive: true });

/** Runs the job; returns the body with which it was completed or failed. */
async function ended(overrides: Omit<Parameters<typeof openInternalPlane>[0], "source">, end = "/complete") {
	server = await openInternalPlane({ source, ...overrides });
	worker = startWorker({
		apiUrl: server.url,
		workDirectory,
		// Soon, but not at once: reports one after the other would take the processor from the encoders.
		sleep: (milliseconds, signal) => wait(Math.min(milliseconds, 50), undefined, { signal }).catch(() => undefined),
	});
	return (await server.seen(({ route }) => /\/(complete|fail)$/.test(route) && route.endsWith(end))).body;
}
const pinned = { plan: { ...onlyMp4, outro_id: "0b8f3a52-6c1d-4e0f-9a7b-3c5d7e9f1a2c" } };
const told = (decision: object) => ({
	decisions: expect.arrayContaining([expect.objectContaining({ about: "outro", ...decision })]),
});
const refusing = (code: ErrorCode) => ({
	refuse: (route: string) => (route.endsWith("?part=outro") ? code : undefined),
});

describe("a worker", () => {
	it("makes an outro's mezzanine and nothing else", async () => {
		const body = await ended({ kind: "outro" });
		expect(body).toMatchObject({
			outputs: { files: ["SHA256SUMS", "mezzanine.mp4"], renditions: [] },
			media: { duration_seconds: 2, width: 160, height: 90 },
		});
		expect(await entriesOf(server?.archive() as Buffer)).toEqual(["SHA256SUMS", "mezzanine.mp4"]);
	});

	it("appends the outro that the video pinned, and reports it", async () => {
		await copyTemplate();
		const body = await ended({ ...pinned, outro });
		expect(body).toMatchObject({
			outputs: { has_outro: true },
			media: { duration_seconds: 2 },
			report: told({ decision: "appended to web.mp4" }),
		});
		expect((body.outputs as { files: string[] }).files).toContain("web.mp4");
		// The outro changed this file after the first sums.
		const contents = await contentsOf(server?.archive() as Buffer);
		const sum = createHash("sha256")
			.update(contents.get("web.mp4") as Buffer)
			.digest("hex");
		expect(String(contents.get("SHA256SUMS"))).toContain(`${sum}  web.mp4\n`);
	});

	it("completes without an outro that was deleted while the video was encoded", async () => {
		await copyTemplate();
		expect(await ended({ ...pinned, outro, ...refusing("file_not_found") })).toMatchObject({
			outputs: { has_outro: false },
		});
	});

	it("appends no outro if web.mp4 is not wanted", async () => {
		const plan = { ...pinned.plan, outputs: { hls: true, dash: false, mp4_fallback: false, og_thumbnail: false } };
		expect(await ended({ plan, outro })).toMatchObject({ outputs: { has_outro: false } });
		expect(server?.calls.filter(({ route }) => route.endsWith("/source"))).toHaveLength(1);
	});

	it("completes without an outro that was deleted before the job was claimed", async () => {
		await copyTemplate();
		expect(await ended(pinned)).toMatchObject({
			outputs: { has_outro: false },
			report: told({ because: "it was deleted" }),
		});
	});

	it("completes without an outro that can't be joined", async () => {
		await copyTemplate();
		expect(await ended({ ...pinned, outro: Buffer.alloc(outro.length, "no video at all") })).toMatchObject({
			outputs: { has_outro: false },
		});
	});

	it("gives the job back if the outro can't be fetched, and completes without it on the last attempt", async () => {
		await copyTemplate();
		const unavailable = { ...pinned, outro, ...refusing("storage_unavailable") };
		expect(await ended(unavailable, "/fail")).toMatchObject({ retryable: true, reason: "storage_error" });
		await stop();
		expect(await ended({ ...unavailable, attempt: 3 })).toMatchObject({ outputs: { has_outro: false } });
	});
});
