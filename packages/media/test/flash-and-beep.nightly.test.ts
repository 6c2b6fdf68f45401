import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../src/index.ts";
import {
	expectInStep,
	expectJoinInStep,
	lightInto,
	litFrames,
	make,
	type Source,
	x264,
} from "./support/flash-and-beep.ts";
import { type Folder, job, openFolder, program, tools } from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const sources: Record<string, Source> = {
	"plain.mp4": { rate: 25, encode: x264 },
	"ntsc.mov": { rate: 30_000 / 1001, encode: [...x264, "-c:a", "pcm_s16le"] },
	"film.mkv": { rate: 24_000 / 1001, encode: [...x264, "-c:a", "flac"] },
	"sixty.mkv": { rate: 60, encode: x264 },
	"odd.mp4": { rate: 26.777, encode: x264 },
	"seventy-two.mp4": { rate: 72, encode: x264 },
	"opus.webm": { rate: 30, encode: ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"] },
	"vorbis.webm": { rate: 25, encode: ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libvorbis"] },
	"broadcast.ts": { rate: 25, encode: ["-c:v", "mpeg2video", "-c:a", "mp2"] },
	"camera.ts": { rate: 50, encode: x264 },
	"disc.mpg": { rate: 25, encode: ["-c:v", "mpeg2video", "-c:a", "mp2"] },
	"old.avi": { rate: 25, encode: ["-c:v", "mpeg4", "-c:a", "pcm_s16le"] },
	"stream.flv": { rate: 30, encode: ["-c:v", "flv1", "-c:a", "aac"] },
	"alac.mov": { rate: 25, encode: [...x264, "-c:a", "alac"] },
	"windows.wmv": { rate: 25, encode: ["-c:v", "wmv2", "-c:a", "wmav2"] },
	"material.mxf": { rate: 25, encode: ["-c:v", "mpeg2video", "-c:a", "pcm_s16le"] },
	"surround.mkv": { rate: 24, encode: [...x264, "-c:a", "ac3", "-ac", "6"] },
	"mp3.mp4": { rate: 25, encode: [...x264, "-c:a", "libmp3lame"] },
	"opus.mp4": { rate: 48, encode: [...x264, "-c:a", "libopus"] },
	"telephone.mkv": { rate: 12, encode: [...x264, "-c:a", "pcm_mulaw", "-ar", "8000"] },
	"eac3.ts": { rate: 25, encode: [...x264, "-c:a", "eac3"] },
	"sound-500-ms-late.ts": { rate: 25, encode: x264, late: { sound: 0.5 } },
	"picture-13-ms-late.mkv": { rate: 25, encode: x264, late: { picture: 0.013 } },
	"picture-30-ms-late.mp4": { rate: 25, encode: x264, late: { picture: 0.03 } },
	"picture-333-ms-late.ts": { rate: 30, encode: x264, late: { picture: 0.333 } },
	"picture-a-second-late.mp4": { rate: 24, encode: x264, late: { picture: 1.01 } },
	"sound-13-ms-late.mkv": { rate: 25, encode: x264, late: { sound: 0.013 } },
	"sound-200-ms-late.mp4": { rate: 30, encode: x264, late: { sound: 0.2 } },
	"fields.mkv": {
		rate: 50,
		encode: ["-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-top", "1"],
		filter: ",tinterlace=interleave_top",
	},
};

describe("flash and beep are as far apart as in the source, to 5 ms, at start and end", () => {
	it.each(Object.entries(sources))("%s", (name, source) => expectInStep(folder, name, source));
});

const ntsc = 30_000 / 1001;
const mpeg2 = ["-c:v", "mpeg2video", "-c:a", "mp2"];
const joins: Record<string, readonly Source[]> = {
	"faster-then-slower-sound.ts": [
		{ rate: 25, encode: [...x264, "-ar", "48000"] },
		{ rate: 25, encode: [...x264, "-ar", "44100"] },
	],
	"aac.ts": [
		{ rate: ntsc, encode: [...x264, "-c:a", "aac", "-ar", "44100"] },
		{ rate: ntsc, encode: [...x264, "-c:a", "aac", "-ar", "48000"] },
	],
	"mono-then-stereo.ts": [
		{ rate: ntsc, encode: [...x264, "-ac", "1"] },
		{ rate: ntsc, encode: [...x264, "-ac", "2"] },
	],
	"alike.ts": [
		{ rate: 25, encode: x264 },
		{ rate: 25, encode: x264 },
		{ rate: 25, encode: x264 },
	],
	"other-clock.ts": [
		{ rate: 25, encode: [...x264, "-output_ts_offset", "4000"] },
		{ rate: 25, encode: [...x264, "-output_ts_offset", "20"] },
	],
	"discs.mpg": [
		{ rate: 25, encode: mpeg2 },
		{ rate: 25, encode: mpeg2 },
	],
};

describe("flash and beep stay together through joins", () => {
	it.each(Object.entries(joins))("%s", (name, recordings) => expectJoinInStep(folder, name, recordings));
});

it("AV1 that is encoded apart from the sound shows the flash with H.264, where a broadcast's picture begins late", async () => {
	const late = { picture: 0.333 };
	const source = await make(folder, "apart.ts", { rate: 30, encode: x264, late });
	const directory = folder.outputs();
	const order = job(["h264_720", "av1_720"]);
	await processVideo({ source, directory, tools, job: order, onPlayable: () => {} });
	const flashes = async (track: string) => {
		const levels = folder.path(`${track}.txt`);
		await program("ffmpeg", "-i", join(directory, `media/${track}.mp4`), "-vf", lightInto(levels), "-f", "null", "-");
		return (await litFrames(levels)).flatMap(({ isLit }, n, all) => (isLit && all[n - 1]?.isLit !== true ? [n] : []));
	};
	const [h264, av1] = [await flashes("h264_64"), await flashes("av1_64")];
	expect(h264).toHaveLength(2);
	expect(av1).toEqual(h264);
});
