import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Transcript, Video } from "@reelmill/contracts";
import { createReelmill, createReelmillAdmin } from "@reelmill/node";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningProcess, runServer } from "./support/running-server.ts";

const pocketsphinx = fileURLToPath(new URL("../../../packages/media/test/support/pocketsphinx.ts", import.meta.url));
const speech = "/usr/share/pocketsphinx/test/data/goforward.raw";
const adminKey = "an-operators-key-of-32-characters-or-more";
let folder: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let running: RunningProcess | undefined;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-late-transcripts-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
});
const stop = async () => {
	if (running?.child.kill("SIGTERM")) await running.ended;
};
afterAll(async () => {
	await stop();
	await database.close();
	await rm(folder, { recursive: true });
});
const start = async (settings: Record<string, string> = {}): Promise<RunningProcess> => {
	running = await runServer(join(folder, "data"), database.url, {
		EMBEDDED_WORKERS: "1",
		ADMIN_KEY: adminKey,
		...settings,
	});
	return running;
};

async function clipOfSpeech(): Promise<string> {
	const path = join(folder, "source.mp4");
	const inputs = [
		"-f",
		"lavfi",
		"-i",
		"testsrc2=size=160x90:rate=25:duration=3",
		"-f",
		"s16le",
		"-ar",
		"16000",
		"-ac",
		"1",
		"-i",
		speech,
	];
	await promisify(execFile)("ffmpeg", [
		"-v",
		"error",
		...inputs,
		"-c:v",
		"libx264",
		"-preset",
		"ultrafast",
		"-c:a",
		"aac",
		path,
	]);
	return path;
}

it("makes a transcript that was unavailable once an operator asks a server that can", async () => {
	const { url: first, auth } = await start();
	const apiKey = auth.authorization.slice("Bearer ".length);
	const tenant = createReelmill({ baseUrl: first, apiKey });
	await tenant.domain.updateConfig({ renditions: ["h264_720"] });
	const { id } = await tenant.videos.upload(await clipOfSpeech(), { content_type: "video/mp4", transcript: true });
	const made = await tenant.videos.wait(id);
	expect(made).toMatchObject({ state: "available", transcript_status: "unavailable", transcript_url: null });
	const { id: domain } = await tenant.domain.get();
	await stop();

	const transcriber = join(folder, "transcriber");
	await writeFile(transcriber, `#!/bin/sh\nexec '${process.execPath}' '${pocketsphinx}' "$1"\n`, { mode: 0o755 });
	const { url } = await start({ TRANSCRIBER: transcriber });
	const later = createReelmill({ baseUrl: url, apiKey });
	expect((await later.videos.get(id)).transcript_status).toBe("unavailable");
	expect(await createReelmillAdmin({ baseUrl: url, adminKey }).domains.requestTranscripts(domain)).toEqual({
		requested: 1,
	});
	const settled = async (): Promise<Video["transcript_status"]> => (await later.videos.get(id)).transcript_status;
	await expect.poll(settled, { interval: 200 }).not.toBe("pending");
	const transcript: Transcript = await later.videos.transcript(id);
	expect(transcript).toMatchObject({
		status: "available",
		text: "go forward ten meters",
		language: "en",
		transcript_url: `${url}/videos/${id}/transcript.vtt`,
	});
});
