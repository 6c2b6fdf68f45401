import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { cutVideo, type OutputSelection, processVideo } from "../../src/index.ts";
import { openFragments } from "../../src/mp4/fragments.ts";
import { everything, type Folder, job, lavfi, streamsOf, tools } from "./sources.ts";

/** The frames of a second of the plain source. */
export const rate = 30;

/** Runs ffmpeg, which must have nothing to complain about. */
async function output(...args: string[]): Promise<Buffer> {
	const options = { encoding: "buffer", maxBuffer: 512 * 1024 * 1024 } as const;
	const { stdout, stderr } = await promisify(execFile)("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args], options);
	expect(stderr.toString()).toBe("");
	return stdout;
}

type Shown = {
	/** Of each picture the moment, in ticks of the track, and the sum of all its planes. */
	readonly frames: readonly { readonly time: number; readonly sum: string }[];
	/** Of each picture the brightness. */
	readonly pictures: readonly Buffer[];
};

/** Decodes every picture of a track. */
async function pictures(path: string): Promise<Shown> {
	const sums = `${path}.sums`;
	const each = ["-map", "0:v", "-fps_mode", "passthrough"];
	const bytes = await output(
		...["-xerror", "-copyts", "-i", path, ...each, "-vf", "extractplanes=y", "-f", "rawvideo", "pipe:1"],
		...[...each, "-enc_time_base", "-1", "-f", "framehash", "-hash", "md5", sums],
	);
	const frames = (await readFile(sums, "utf8")).split("\n").flatMap((line) => {
		const [, , time = "", , , sum = ""] = line.split(",").map((field) => field.trim());
		return sum === "" || line.startsWith("#") ? [] : [{ time: Number(time), sum }];
	});
	await rm(sums);
	const length = bytes.length / frames.length;
	return { frames, pictures: frames.map((_, n) => bytes.subarray(n * length, (n + 1) * length)) };
}

/** The samples of a sound from its time 0 on: those before are hidden. */
async function sound(path: string): Promise<Int16Array> {
	const bytes = await output("-copyts", "-i", path, "-af", "atrim=start=0", "-ac", "1", "-f", "s16le", "-");
	return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

/** By how many ticks each picture of a track comes later than evenly from 0 on. */
function latenessOf({ frames }: Shown): number[] {
	const steps = frames.slice(1).map(({ time }, n) => time - (frames[n]?.time ?? 0));
	const step = Math.min(...steps);
	return frames.map(({ time }, n) => (n === 0 ? time : time - n * step));
}

/** How much two pictures differ: the mean of the squares. */
const difference = (a: Buffer, b: Buffer): number =>
	a.reduce((sum, value, n) => sum + (value - (b[n] ?? 0)) ** 2, 0) / a.length;

/**
 * How many samples later than expected a piece of the whole is heard: where it differs least. Silence is where it should
 * be.
 */
function lag(piece: Int16Array, whole: Int16Array, start: number, from: number): number {
	const most = 600;
	const length = Math.min(4000, piece.length - from);
	let best = { lag: Number.NaN, off: Number.POSITIVE_INFINITY };
	for (let step = 0; step <= 2 * most; step += 1) {
		const late = step % 2 === 0 ? step / 2 : -(step + 1) / 2;
		let off = 0;
		for (let n = from; n < from + length && off < best.off; n += 1)
			off += Math.abs((piece[n] as number) - (whole[start + n - late] ?? 0));
		if (off < best.off) best = { lag: late, off };
	}
	return best.lag;
}

/** Finished outputs, decoded. */
export type Finished = {
	readonly directory: string;
	/** The frames of a second. */
	readonly rate: number;
	/** The frames that key frames are at, and the number of all frames. */
	readonly keys: readonly number[];
	readonly total: number;
	/** By path, web.mp4 among them. */
	readonly tracks: ReadonlyMap<string, Shown>;
	readonly sounds: ReadonlyMap<string, Int16Array>;
};

async function readFinished(directory: string): Promise<Finished> {
	const media = (await readdir(join(directory, "media")).catch(() => [])).sort().map((file) => `media/${file}`);
	const videos = media.filter((file) => file.endsWith(".mp4") && !file.includes("opening_"));
	const tracks = new Map<string, Shown>();
	for (const file of [...videos, "web.mp4"]) tracks.set(file, await pictures(join(directory, file)));
	const sounds = new Map<string, Int16Array>();
	const withSound = (await streamsOf(join(directory, "web.mp4"))).some(({ codec_type }) => codec_type === "audio");
	for (const file of [...media.filter((file) => file.endsWith(".m4a")), ...(withSound ? ["web.mp4"] : [])])
		sounds.set(file, await sound(join(directory, file)));
	const { frames } = tracks.get("web.mp4") as Shown;
	if (videos[0] === undefined) {
		const [picture] = await streamsOf(join(directory, "web.mp4"));
		const [numerator = 0, denominator = 1] = String(picture?.r_frame_rate).split("/").map(Number);
		return { directory, rate: numerator / denominator, keys: [0], total: frames.length, tracks, sounds };
	}
	const track = await openFragments(join(directory, videos[0]));
	const { ticks } = (await track.samples(track.fragments[0] as (typeof track.fragments)[0]))[0] as { ticks: number };
	const keys = track.fragments.map(({ startTicks }) => startTicks / ticks);
	await track.close();
	return { directory, rate: track.timescale / ticks, keys, total: frames.length, tracks, sounds };
}

export type CutsOptions = {
	/** The renditions of the job (default: H.264 and AV1). */
	readonly renditions?: string[];
	readonly outputs?: OutputSelection;
	/** The inputs and options by which ffmpeg makes the source, and its name (default: a moving picture and a sweep). */
	readonly source?: { readonly name: string; readonly inputs: string[]; readonly args?: string[] };
};

/** A sound whose every moment is another one. */
export const sweep = (seconds: number, from = 300): string =>
	`aevalsrc='0.5*sin(2*PI*(${from}+150*t)*t)':s=48000:d=${seconds}`;

/** Makes a finished video, by default one whose every frame and every moment of sound is another one. */
export async function openCuts(
	folder: Folder,
	seconds: number,
	{ renditions = ["h264_720", "av1_720"], outputs = everything, source }: CutsOptions = {},
) {
	const directory = folder.outputs();
	const picture = `testsrc2=size=160x90:rate=${rate}:duration=${seconds}`;
	const { name, ...made } = source ?? { name: "sweep.mp4", inputs: lavfi(picture, sweep(seconds)) };
	const cues = [
		{ startSeconds: 0.5, endSeconds: 2, text: "The first words" },
		{ startSeconds: 3, endSeconds: 5.5, text: "Words in the middle" },
	];
	const { plan, limits } = job(renditions, outputs);
	await processVideo({
		...{ source: await folder.source(name, made), directory, tools },
		job: { plan: { ...plan, transcript: true }, limits },
		transcriber: { name: "a listener", transcribe: async () => ({ cues, language: "en", confidence: null }) },
	});
	const whole = await readFinished(directory);

	/**
	 * Cuts from one frame to the one before another, and compares every picture, its moment, and the sound.
	 * @param options.from what is cut (default: the whole)
	 * @param options.off by how many frames less than half a one the wanted moments miss the frames (default: 0)
	 */
	async function expectCut(first: number, end: number, { from = whole, off = 0 } = {}) {
		const target = folder.outputs();
		const { rate } = from;
		const made = await cutVideo({
			...{ source: from.directory, directory: target, tools },
			...{ startSeconds: (first + off) / rate, endSeconds: (end - off) / rate },
		});
		const { cut } = made.report as { cut: { renditions: { name: string; encoded_frames: number; whole: boolean }[] } };
		const finished = await readFinished(target);
		expect([...finished.tracks.keys(), ...finished.sounds.keys()]).toEqual([
			...from.tracks.keys(),
			...from.sounds.keys(),
		]);
		for (const [track, shown] of finished.tracks) {
			const before = from.tracks.get(track) as Shown;
			const [frames, pictures] = [before.frames.slice(first, end), before.pictures.slice(first, end)];
			expect(shown.frames, track).toHaveLength(frames.length);
			// ffmpeg shows a track a picture late from the first one on that is decoded early. A group of few that is encoded
			// in front may have none, and is then not late.
			const late = latenessOf(shown);
			expect(late, track).toEqual(late.toSorted((a, b) => a - b));
			expect([0, ...latenessOf(before)], track).toEqual(expect.arrayContaining(late));
			const told = cut.renditions.find(({ name }) =>
				track === "web.mp4" ? name.startsWith("h264") : track === `media/${name}.mp4`,
			);
			expect(told?.whole).toBe(false);
			const changed = shown.frames.flatMap(({ sum }, n) => (sum === frames[n]?.sum ? [] : [n]));
			expect(changed.length, track).toBeLessThanOrEqual(told?.encoded_frames ?? 0);
			for (const n of changed) {
				const picture = shown.pictures[n] as Buffer;
				const away = difference(picture, pictures[n] as Buffer);
				// A picture that stands still is changed by its encode as much as the pictures around it differ from it.
				for (const other of [pictures[n - 1], pictures[n + 1]])
					if (other !== undefined)
						expect(away, `picture ${n} of ${track}`).toBeLessThan(difference(picture, other) + 12);
			}
		}
		const samples = ((end - first) * 48_000) / rate;
		for (const [file, heard] of finished.sounds) {
			expect(Math.abs(heard.length - samples), file).toBeLessThanOrEqual(1024);
			const before = from.sounds.get(file) as Int16Array;
			const start = Math.round((first * 48_000) / rate);
			// Too little of a sound is like itself everywhere.
			if (samples > 3000)
				for (const place of [200, Math.max(200, Math.floor(samples) - 4000)])
					expect(lag(heard, before, start, place), `${file} at ${place}`).toBe(0);
		}
		return { made, cut, finished };
	}

	return { directory, whole, expectCut };
}
