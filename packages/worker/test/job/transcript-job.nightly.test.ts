import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCommandTranscriber } from "@reelmill/media";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "../../src/index.ts";
import { entriesOf, onlyMp4 } from "../support/fixtures.ts";
import { type InternalPlaneServer, openInternalPlane } from "../support/internal-plane-server.ts";
import { smallSource } from "../support/make-source.ts";
import { startWorker } from "../support/start-worker.ts";

const run = promisify(execFile);
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
	worker = startWorker({ apiUrl: server.url, workDirectory, transcriber });
}
const completion = async () =>
	(await server.seen(({ route }) => route.endsWith("/complete"))).body as {
		outputs: { files: string[] };
		media: object;
	};

/** What a transcriber runs that hears two words. */
const hearing = `echo '{ "language": "de", "cues": [{ "start": 0.5, "end": 1.5, "text": "Guten Tag" }] }'`;

describe("a job that wants a transcript", () => {
	it("is completed with it, its language and its file", async () => {
		await start(hearing, undefined, { plan: { transcript: true } });
		const { outputs, media } = await completion();
		expect(media).toMatchObject({ transcript_status: "available", language: "de" });
		expect(outputs.files).toEqual(expect.arrayContaining(["transcript.vtt", "hls/captions.m3u8"]));
		expect(await entriesOf(server.archive() as Buffer)).toContain("transcript.vtt");
	});

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

	it("kills a hanging transcriber when its lock is lost", async () => {
		let hanging = false;
		await run("mkfifo", [join(folder, "started")]);
		await start(
			`sleep 86393 & echo now > ${join(folder, "started")}; wait`,
			(route) => (hanging && route.endsWith("/heartbeat") ? "not_lock_holder" : undefined),
			{ lockSeconds: 12 },
		);
		await readFile(join(folder, "started"));
		hanging = true;
		await server.seen(({ route }) => route.endsWith("/claim") && server.of("/claim").length === 2);
		expect((await run("ps", ["-eo", "args"])).stdout).not.toContain("sleep 86393");
		expect(await readdir(workDirectory)).toEqual([]);
		expect(server.of("/complete")).toEqual([]);
	});
});

describe("a transcript of a video that is available already", () => {
	it("is made from the video's finished sound, and nothing else is made", async () => {
		await start(hearing, undefined, { kind: "transcript" });
		expect(await completion()).toMatchObject({
			outputs: { files: ["transcript.vtt"], renditions: [] },
			media: { transcript_status: "available", language: "de" },
		});
		expect(await entriesOf(server.archive() as Buffer)).toEqual(["transcript.vtt"]);
		expect(server.of("/claim")[0]?.body).toMatchObject({ takes_transcripts: true });
		await expect.poll(() => readdir(workDirectory)).toEqual([]);
	});

	it.each([
		["the transcriber crashes", "kill -SEGV $$", undefined, "failed"],
		["there is no sound", "exit 1", "silent", "no_speech"],
	])("is none if %s", async (_, lines, sound, transcript_status) => {
		const finished = sound === "silent" ? await makeSilent(source) : source;
		await start(lines, undefined, { kind: "transcript", source: finished });
		expect(await completion()).toMatchObject({ outputs: { files: [] }, media: { transcript_status, language: null } });
	});

	it("is not asked for by a worker without a transcriber", async () => {
		await start(null);
		await server.seen(({ route }) => route.endsWith("/claim"));
		expect(server.of("/claim")[0]?.body).not.toHaveProperty("takes_transcripts");
	});
});

/** Returns the clip without its sound. */
async function makeSilent(clip: Buffer): Promise<Buffer> {
	const [from, to] = [join(folder, "sound.mp4"), join(folder, "silent.mp4")];
	await writeFile(from, clip);
	await run("ffmpeg", ["-v", "error", "-i", from, "-an", "-c", "copy", to]);
	return readFile(to);
}
