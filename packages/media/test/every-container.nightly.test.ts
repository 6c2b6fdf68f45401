import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../src/index.ts";
import { containers, encrypted } from "./support/containers.ts";
import { type Folder, job, openFolder, probeAgain, program, streamsOf, tools } from "./support/sources.ts";

let folder: Folder;
const clips = new Map<string, string>();
beforeAll(async () => {
	folder = await openFolder();
	for (const [kind, make] of Object.entries(containers)) clips.set(kind, await make(folder));
});
afterAll(() => folder.close());

const clip = (kind: string): string => clips.get(kind) as string;
async function encode(source: string) {
	const directory = folder.outputs();
	const { report } = await processVideo({
		...{ source, directory, tools },
		job: job(["h264_720"], { hls: false, og_thumbnail: false }),
	});
	const decisions = (report.decisions as { about: string; decision: string }[]).map(
		({ about, decision }) => `${about}: ${decision}`,
	);
	return { web: join(directory, "web.mp4"), decisions };
}
/** Red, green and blue of a point of the first picture. */
async function colourAt(file: string, x: number, y: number): Promise<number[]> {
	const raw = folder.path("pixel.raw");
	const point = `format=rgb24,crop=2:2:iw*${x}:ih*${y}`;
	await program("ffmpeg", "-y", "-i", file, "-map", "0:v", "-vf", point, "-frames:v", "1", "-f", "rawvideo", raw);
	return [...(await readFile(raw)).subarray(0, 3)];
}
const refusal = (source: string) => probeAgain(source).then(String, ({ reason, message }) => ({ reason, message }));

describe("a clip in each container", () => {
	it.each([
		["Theora and Vorbis in Ogg", "ogg", "theora", "vorbis", 160, 90, 25, 1],
		["VP8 and Opus in Ogg", "ogg", "vp8", "opus", 160, 90, 25, 1],
		["WMV and WMA", "asf", "wmv2", "wmav2", 160, 90, 25, 1],
		["raw DV of Europe, wide", "dv", "dvvideo", "pcm_s16le", 1024, 576, 25, 1],
		["raw DV of America", "dv", "dvvideo", "pcm_s16le", 640, 480, 29.97, 1],
		["a GIF with delays of two lengths", "gif", "gif", null, 160, 90, null, 2],
		["a GIF that one can see through", "gif", "gif", null, 160, 90, 10, 1],
		["MPEG-2 in MXF, each channel a track", "mxf", "mpeg2video", "pcm_s16le", 160, 90, 25, 1],
		["DNxHD in MXF", "mxf", "dnxhd", "pcm_s16le", 1280, 720, 25, 1],
		["H.264 in MXF", "mxf", "h264", "pcm_s16le", 160, 90, 25, 1],
		["H.263 and AMR in 3GP", "mov", "h263", "amr_nb", 176, 144, 15, 1],
	] as const)("%s is taken", async (kind, container, picture, sound, width, height, rate, seconds) => {
		const found = await probeAgain(clip(kind));
		expect(found).toMatchObject({ container, width, height, video: { codec: picture } });
		expect(found.audio?.codec ?? null).toBe(sound);
		expect(Math.abs(found.durationSeconds - seconds), "seconds found").toBeLessThan(0.1);

		const { web } = await encode(clip(kind));
		const [video, audio] = await streamsOf(web);
		expect(video).toMatchObject({ width, height, sample_aspect_ratio: "1:1", pix_fmt: "yuv420p" });
		expect(Math.abs(Number(video?.duration) - seconds), "seconds made").toBeLessThan(0.1);
		if (rate !== null) expect(found.video.frameRate).toBeCloseTo(rate, 1);
		expect(audio === undefined).toBe(sound === null);
		const channels = found.audio?.channels === 1 ? 1 : 2;
		if (audio !== undefined) expect(audio).toMatchObject({ codec_name: "aac", channels, sample_rate: "48000" });
	});

	it.each(["raw DV of Europe, wide", "raw DV of America"])("%s is deinterlaced", async (kind) => {
		expect((await encode(clip(kind))).decisions).toContain("interlacing: deinterlaced, a picture for each field");
	});

	it("a GIF keeps its delays: its rate varies", async () => {
		expect((await probeAgain(clip("a GIF with delays of two lengths"))).video).toMatchObject({
			variableFrameRate: true,
			packets: 17,
		});
	});

	it("what one can see through in a GIF is white", async () => {
		const { web } = await encode(clip("a GIF that one can see through"));
		expect(Math.min(...(await colourAt(web, 0.75, 0.5)))).toBeGreaterThan(245);
		expect((await colourAt(web, 0.25, 0.5))[2]).toBeGreaterThan(200);
	});
});

describe("what is no video in such a container", () => {
	it("a GIF of a single picture", async () => {
		await program("ffmpeg", "-f", "lavfi", "-i", "color=red:size=64x64:duration=0.04", folder.path("single.gif"));
		expect(await refusal(folder.path("single.gif"))).toEqual({
			reason: "no_video_stream",
			message: "The GIF is a single picture, no video.",
		});
	});

	it.each(["sound.ogg", "sound.wma"])("%s without a picture", async (name) => {
		await program("ffmpeg", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", folder.path(name));
		expect(await refusal(folder.path(name))).toMatchObject({ reason: "no_video_stream" });
	});

	it("an Ogg of several recordings one behind another", async () => {
		const one = await readFile(clip("Theora and Vorbis in Ogg"));
		await writeFile(folder.path("chained.ogv"), Buffer.concat([one, one]));
		await expect(encode(folder.path("chained.ogv"))).rejects.toMatchObject({ reason: "invalid_media" });
	});

	it("a codec that nobody knows is named as the reason", async () => {
		const bytes = (await readFile(clip("WMV and WMA"))).toString("latin1").replaceAll("WMV2", "ZZZZ");
		await writeFile(folder.path("strange.wmv"), bytes, "latin1");
		expect(await refusal(folder.path("strange.wmv"))).toEqual({
			reason: "invalid_media",
			message: "The video stream can't be decoded: its codec is unknown.",
		});
	});

	it("a WMV that is encrypted", async () => {
		expect(await refusal(await encrypted(clip("WMV and WMA"), folder.path("sold.wmv")))).toEqual({
			reason: "invalid_media",
			message: "The file is encrypted (DRM): it can't be decoded.",
		});
	});

	it("an MXF with H.264 whose index was cut off with its end", async () => {
		const whole = await readFile(clip("H.264 in MXF"));
		await writeFile(folder.path("cut.mxf"), whole.subarray(0, Math.round(whole.length * 0.6)));
		expect(await refusal(folder.path("cut.mxf"))).toEqual({
			reason: "invalid_media",
			message: "The video stream holds no pictures that have a time: the file is cut off, or its index is damaged.",
		});
	});
});
