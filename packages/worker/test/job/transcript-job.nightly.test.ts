import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandTranscriber } from "@reelmill/media";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorker, type Worker } from "../../src/index.ts";
import { onlyMp4, recordingLogger } from "../support/fixtures.ts";
import { type InternalPlaneServer, openInternalPlane } from "../support/internal-plane-server.ts";
import { smallSource } from "../support/make-source.ts";

let source: Buffer;
let folder: string;
let workDirectory: string;
let server: InternalPlaneServer;
let worker: Worker;

beforeAll(async () => {
	source = await smallSource();
});
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-worker-transcript-"));
	workDirectory = join(folder, "work");
});
afterEach(async () => {
	const stopped = worker.stop();
	await server.close();
	await stopped;
	await rm(folder, { recursive: true });
});

type Overrides = Partial<Parameters<typeof openInternalPlane>[0]>;
/**
 * Starts a worker with a job that wants a transcript. Its transcriber runs these lines of shell; with null it has none.
 */
async function start(lines: string | null, refuse: Overrides["refuse"] = () => undefined, overrides: Overrides = {}) {
	server = await openInternalPlane({
		source,
		plan: { ...onlyMp4, transcript: true },
		refuse,
		...overrides,
	});
	if (lines !== null) await writeFile(join(folder, "transcriber"), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
	const transcriber =
		lines === null ? undefined : await createCommandTranscriber({ program: join(folder, "transcriber") });
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	worker = createWorker({
		apiUrl: server.url,
		name: "w",
		secret: "s",
		workDirectory,
		tools,
		logger: recordingLogger(),
		graceSeconds: 0,
		transcriber,
	});
	worker.start();
}
const completion = async () =>
	(await server.seen(({ route }) => route.endsWith("/complete"))).body as {
		outputs: { files: string[] };
		media: object;
	};

describe("a job that wants a transcript", () => {
	it("is completed without one if the worker has no transcriber", async () => {
		await start(null);
		expect((await completion()).media).toMatchObject({ transcript_status: "unavailable", language: null });
	});

	it("is completed without one if the transcriber crashes", async () => {
		await start("kill -SEGV $$");
		const { outputs, media } = await completion();
		expect(media).toMatchObject({ transcript_status: "failed", language: null });
		expect(outputs.files).toContain("web.mp4");
		expect(outputs.files).not.toContain("transcript.vtt");
	});
});
