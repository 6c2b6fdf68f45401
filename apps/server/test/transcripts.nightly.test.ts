import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CreatedVideo, Transcript, Video } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { processEnvironment } from "./support/process-environment.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const pocketsphinx = fileURLToPath(new URL("../../../packages/media/test/support/pocketsphinx.ts", import.meta.url));
let folder: string;
let url: string;
let auth: Record<string, string>;
let stop: () => Promise<void>;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-transcripts-"));
	const transcriber = join(folder, "transcriber");
	await writeFile(transcriber, `#!/bin/sh\nexec '${process.execPath}' '${pocketsphinx}' "$1"\n`, { mode: 0o755 });
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const settings = { PORT: "0", DATA_DIR: join(folder, "data"), DATABASE_URL: database.url, TRANSCRIBER: transcriber };
	const environment = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`REELMILL_${name}`, value]));
	const child = spawn(process.execPath, [main], {
		env: { ...processEnvironment, ...environment },
		stdio: ["ignore", "pipe", "inherit"],
	});
	stop = async () => {
		if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
		await database.close();
		await rm(folder, { recursive: true });
	};
	let said = "";
	for await (const text of child.stdout as AsyncIterable<Buffer>) {
		said += text;
		if (said.includes("Reelmill is ready.")) break;
	}
	url = /http:\S+(?=\/v1\/health)/.exec(said)?.[0] as string;
	auth = { authorization: `Bearer ${/ek_\w+/.exec(said)?.[0]}`, "content-type": "application/json" };
	const config = JSON.stringify({ renditions: ["h264_720"], default_visibility: "public" });
	await fetch(`${url}/v1/domain/config`, { method: "PATCH", headers: auth, body: config });
});
afterAll(() => stop());

/** Uploads bars with this sound, and waits until they can be played. */
async function available(...sound: string[]): Promise<Video> {
	const path = join(folder, "source.mp4");
	const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3"];
	await promisify(execFile)("ffmpeg", [
		"-v",
		"error",
		"-y",
		...picture,
		...sound,
		"-c:v",
		"libx264",
		"-preset",
		"ultrafast",
		"-c:a",
		"aac",
		path,
	]);
	const source = await readFile(path);
	const body = JSON.stringify({ content_type: "video/mp4", file_size: source.length, transcript: true });
	const created = (await (
		await fetch(`${url}/v1/videos`, { method: "POST", headers: auth, body })
	).json()) as CreatedVideo;
	const { id } = created.video;
	const token = { authorization: `Bearer ${created.upload.token}`, "tus-resumable": "1.0.0" };
	const creation = { ...token, ...offsetType, "upload-length": String(source.length), "upload-metadata": metadata(id) };
	expect((await fetch(created.upload.endpoint, { method: "POST", headers: creation, body: source })).status).toBe(201);
	const video = async () => (await (await fetch(`${url}/v1/videos/${id}`, { headers: auth })).json()) as Video;
	await expect.poll(async () => (await video()).state, { interval: 500 }).toBe("available");
	return video();
}
const transcriptOf = async ({ id }: Video) =>
	(await (await fetch(`${url}/v1/videos/${id}/transcript`, { headers: auth })).json()) as Transcript;

describe("the server with a transcriber", () => {
	it("gives a video's recorded words as text, as WebVTT and as captions of its stream", async () => {
		const video = await available(
			"-f",
			"s16le",
			"-ar",
			"16000",
			"-ac",
			"1",
			"-i",
			"/usr/share/pocketsphinx/test/data/goforward.raw",
		);
		const transcript_url = `${url}/videos/${video.id}/transcript.vtt`;
		expect(video).toMatchObject({ transcript_status: "available", transcript_url });
		const view = {
			video_id: video.id,
			status: "available",
			text: "go forward ten meters",
			language: "en",
			transcript_url,
		};
		expect(await transcriptOf(video)).toEqual(view);
		const file = await fetch(transcript_url);
		expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/vtt; charset=utf-8"]);
		expect(await file.text()).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:02\.\d{3}\ngo forward ten meters\n$/);
		const master = await (await fetch(video.outputs?.hls_url as string)).text();
		const playlist = new URL(
			/TYPE=SUBTITLES.*URI="([^"]+)"/.exec(master)?.[1] as string,
			video.outputs?.hls_url as string,
		);
		const segment = (await (await fetch(playlist)).text()).split("\n").find((line) => line.endsWith(".vtt")) as string;
		expect(new URL(segment, playlist).href).toBe(transcript_url);
	});

	it("says of silence that there is no speech", async () => {
		const video = await available("-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo:d=3");
		expect(video).toMatchObject({ state: "available", transcript_status: "no_speech", transcript_url: null });
		expect(await transcriptOf(video)).toEqual({
			video_id: video.id,
			status: "no_speech",
			text: null,
			language: null,
			transcript_url: null,
		});
	});
});
