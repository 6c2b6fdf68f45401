import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../src/index.ts";
import { type Folder, job, openFolder, program, tools } from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

type Source = {
	readonly rate: number;
	readonly encode: readonly string[];
	/** Seconds by which the picture begins later than the sound, or the sound later than the picture. */
	readonly late?: { readonly picture?: number; readonly sound?: number };
	readonly filter?: string;
};
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** A source that flashes and beeps at once, half a second after its start and half a second before its end. */
async function make(name: string, { rate, encode, late = {}, filter }: Source): Promise<string> {
	const at = [0.5, 2.5].map((seconds) => (Math.round((seconds * rate) / 4) * 4) / rate);
	const lit = at.map((time) => `between(T,${time - 0.001},${time + 0.1})`).join("+");
	const heard = at.map((time) => `between(t,${time},${time + 0.1})*cos(2*PI*1000*(t-${time}))`).join("+");
	const picture = `color=black:size=64x64:rate=${rate}:duration=3,format=gray,geq=lum='235*(${lit})'${filter ?? ""}`;
	const offset = (seconds = 0) => ["-itsoffset", String(seconds), "-f", "lavfi", "-i"];
	const inputs = [
		...[...offset(late.picture), picture],
		...[...offset(late.sound), `aevalsrc='0.7*(${heard})':s=48000:d=3`],
	];
	await program("ffmpeg", "-y", ...inputs, ...encode, folder.path(name));
	return folder.path(name);
}

/** Reads the brightness of each picture that a filter wrote. */
async function litFrames(levels: string): Promise<{ time: number; isLit: boolean }[]> {
	const frames = [...(await readFile(levels, "utf8")).matchAll(/pts_time:(\S+)\n.*YAVG=(\S+)/g)];
	return frames.map(([, time, level]) => ({ time: Number(time), isLit: Number(level) > 100 }));
}
const lightInto = (levels: string) => `signalstats,metadata=mode=print:key=lavfi.signalstats.YAVG:file=${levels}`;

/**
 * The seconds from each flash to its beep. Both are decoded by one ffmpeg: it counts the time of a broadcast from the
 * first packet of the streams that it decodes.
 */
async function apart(path: string): Promise<number[]> {
	const [levels, raw] = [folder.path("levels.txt"), folder.path("sound.raw")];
	const sound = ["-af", "aresample=48000:async=1:first_pts=0", "-ac", "1", "-f", "s16le", raw];
	await program(
		"ffmpeg",
		"-y",
		"-i",
		path,
		"-map",
		"0:v",
		"-vf",
		lightInto(levels),
		"-f",
		"null",
		"-",
		"-map",
		"0:a",
		...sound,
	);
	const frames = await litFrames(levels);
	const flashes = frames.filter(({ isLit }, n) => isLit && frames[n - 1]?.isLit !== true).map(({ time }) => time);
	const bytes = await readFile(raw);
	const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
	const beeps: number[] = [];
	for (let n = 0; n < samples.length; n += 1) {
		if (Math.abs(samples[n] as number) < 6000 || n / 48_000 - (beeps.at(-1) ?? -1) < 1) continue;
		beeps.push(n / 48_000);
	}
	expect([flashes.length, beeps.length]).toEqual([2, 2]);
	return flashes.map((time, n) => (beeps[n] as number) - time);
}

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
	"picture-20-ms-late.mkv": { rate: 25, encode: x264, late: { picture: 0.02 } },
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
	it.each(Object.entries(sources))("%s", async (name, source) => {
		const path = await make(name, source);
		const directory = folder.outputs();
		await processVideo({ source: path, directory, tools, job: job(["h264_720"], { hls: false }) });
		const [before, after] = [await apart(path), await apart(join(directory, "web.mp4"))];
		const off = after.map((seconds, n) => Math.round((seconds - (before[n] as number)) * 1e4) / 10);
		expect(Math.max(...off.map(Math.abs)), `${off.join(" and ")} ms`).toBeLessThanOrEqual(5);
	});
});

it("AV1 that is encoded apart from the sound shows the flash with H.264, where a broadcast's picture begins late", async () => {
	const late = { picture: 0.333 };
	const source = await make("apart.ts", { rate: 30, encode: x264, late });
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
