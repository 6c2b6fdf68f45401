import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../src/index.ts";
import { type Folder, job, openFolder, program, streamsOf, tools } from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** A stretch of a source: frames a second, and how many seconds it lasts. */
type Stretch = readonly [rate: number, seconds: number];
/** Each picture has the grey of its number, in a circle of this many. */
const greys = 16;

/** Makes a source whose frames have the times of the stretches, each one a grey of its own beside its neighbours'. */
async function counted(name: string, stretches: readonly Stretch[]): Promise<{ path: string; times: number[] }> {
	const times: number[] = [];
	let [start, time] = [0, "0"];
	for (const [rate, seconds] of stretches) {
		const first = times.length;
		for (let n = 0; n < Math.round(rate * seconds); n += 1) times.push(start + n / rate);
		time = `if(lt(N,${first}),${time},${start}+(N-${first})/${rate})`;
		start += Math.round(rate * seconds) / rate;
	}
	const grey = `color=black:size=64x64:rate=60,format=gray,geq=lum='24+13*mod(N,${greys})',settb=1/90000,setpts='(${time})/TB'`;
	const path = folder.path(name);
	const encode = ["-fps_mode", "passthrough", "-enc_time_base", "1:90000", "-c:v", "libx264", "-preset", "ultrafast"];
	const clock = name.endsWith(".mp4") ? ["-video_track_timescale", "90000"] : [];
	const frames = ["-frames:v", String(times.length)];
	await program("ffmpeg", "-y", "-f", "lavfi", "-i", grey, ...frames, ...encode, "-pix_fmt", "yuv420p", ...clock, path);
	return { path, times };
}

/** Reads which picture of the source each frame of web.mp4 shows. */
async function shownBy(directory: string): Promise<number[]> {
	const args = ["-v", "error", "-i", join(directory, "web.mp4"), "-map", "0:v"];
	const filters = ["-vf", "scale=1:1:flags=area:in_range=tv:out_range=tv,format=gray", "-f", "rawvideo", "pipe:1"];
	const { stdout } = await promisify(execFile)("ffmpeg", [...args, ...filters], { encoding: "buffer" });
	let shown = 0;
	// The source's grey is in full range.
	return [...stdout].map((level) => {
		const grey = Math.round((((level - 16) * 255) / 219 - 24) / 13);
		shown += (((grey - shown) % greys) + greys) % greys;
		return shown;
	});
}

async function processed(name: string, stretches: readonly Stretch[]) {
	const { path, times } = await counted(name, stretches);
	const directory = folder.outputs();
	const { report } = await processVideo({ source: path, directory, tools, job: job(["h264_720"], { hls: false }) });
	const [video] = await streamsOf(join(directory, "web.mp4"));
	const [numerator = 0, denominator = 1] = String(video?.avg_frame_rate).split("/").map(Number);
	return { times, frames: await shownBy(directory), rate: numerator / denominator, report };
}

describe("an encode shows each picture in its time", () => {
	it.each([
		["odd.mp4", 26.777, 26.777],
		["odd.mkv", 26.777, 26.777],
		["thirty-three.mp4", 33, 33],
		["forty-five.mkv", 45, 45],
		["seven.mp4", 7, 14],
		["seventy-two.mp4", 72, 36],
		["seventy-five.mkv", 75, 37.5],
		["twice-sixty.mkv", 120, 60],
	])("%s: of a constant rate of %d, at %d", async (name, rate, expected) => {
		const made = await processed(name, [[rate, 4]]);
		expect(made.rate).toBeCloseTo(expected, 2);
		const every = Math.ceil(rate / 60.5);
		const held = Math.round((made.rate * every) / rate);
		expect(made.frames).toEqual(made.frames.map((_, n) => Math.floor(n / held) * every));
	});

	it.each([
		[
			"scrolling.mp4",
			[
				[4, 4],
				[60, 2],
				[4, 4],
			],
			60,
		],
		[
			"scrolling.mkv",
			[
				[4, 4],
				[60, 2],
				[4, 4],
			],
			60,
		],
		[
			"low-light.mp4",
			[
				[30, 3],
				[24, 3],
				[15, 2],
			],
			30,
		],
		[
			"on-twos.mkv",
			[
				[12, 3],
				[24, 3],
			],
			24,
		],
		[
			"slow-motion.mp4",
			[
				[30, 3],
				[120, 1],
				[30, 3],
			],
			60,
		],
	] as const)("%s: of a rate that changes (%j), at %d", async (name, stretches, expected) => {
		const { times, frames, rate, report } = await processed(name, stretches);
		expect(rate).toBeCloseTo(expected, 2);
		const shown = new Set(frames);
		let first = 0;
		const slow = stretches.flatMap(([speed, seconds]) => {
			const from = first;
			first += speed * seconds;
			return speed > 60 ? [] : Array.from({ length: speed * seconds }, (_, n) => from + n);
		});
		expect(slow.filter((n) => shown.has(n)).length).toBeGreaterThanOrEqual(0.98 * slow.length);
		frames.forEach((picture, n) => {
			if (picture !== frames[n - 1])
				expect(Math.abs((times[picture] as number) - n / rate)).toBeLessThan(0.76 / rate + 0.001);
		});
		expect(report.decisions).toContainEqual({
			about: "frame rate",
			decision: `${expected}/1, constant`,
			because: expect.stringMatching(/on average, unevenly, and [\d.]+ where it moves$/),
		});
	});
});

describe("interlaced frames", () => {
	/** Where the white bar is in each frame of a file, in pixels. */
	async function barsIn(path: string): Promise<number[]> {
		const line = ["-vf", "scale=160:1:flags=area,format=gray", "-f", "rawvideo", "pipe:1"];
		const { stdout } = await promisify(execFile)("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", ...line], {
			encoding: "buffer",
		});
		return Array.from({ length: stdout.length / 160 }, (_, n) => {
			const levels = [...stdout.subarray(n * 160, (n + 1) * 160)].map((level) => Math.max(0, level - 40));
			const sum = levels.reduce((all, level) => all + level, 0);
			return levels.reduce((all, level, x) => all + level * x, 0) / sum;
		});
	}

	it.each([
		["a.mkv", "50", "50/1"],
		["b.ts", "60000/1001", "60000/1001"],
	])("of %s, %s fields a second, become as many pictures: what moves goes on with each", async (name, fields, rate) => {
		const bar = `color=black:size=160x96:rate=${fields}:duration=0.9[a];color=white:size=16x96:rate=${fields}[b]`;
		const moving = `${bar};[a][b]overlay=x=2*n:shortest=1,tinterlace=interleave_top,fieldorder=tff`;
		const encode = ["-c:v", "mpeg2video", "-b:v", "8M", "-flags", "+ilme+ildct", "-top", "1"];
		const source = folder.path(name);
		await program("ffmpeg", "-y", "-f", "lavfi", "-i", moving, ...encode, source);
		const directory = folder.outputs();
		await processVideo({ source, directory, tools, job: job(["h264_720"], { hls: false }) });
		const web = join(directory, "web.mp4");
		expect((await streamsOf(web))[0]?.avg_frame_rate).toBe(rate);
		const bars = await barsIn(web);
		// The first and the last field have neighbours on one side only.
		const steps = bars.slice(2, -1).map((at, n) => at - (bars[n + 1] as number));
		expect(steps.length).toBeGreaterThan(38);
		for (const step of steps) expect(Math.abs(step - 2)).toBeLessThan(1);
	});
});
