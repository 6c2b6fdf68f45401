import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { cutVideo, processVideo } from "../../src/index.ts";
import { decodes, everything, type Folder, job, lavfi, tools } from "./sources.ts";

const size = { width: 160, height: 90 };
const pictureBytes = size.width * size.height;
/** The frames of a second. */
export const rate = 30;

const output = async (...args: string[]): Promise<Buffer> =>
	(
		await promisify(execFile)("ffmpeg", ["-v", "error", "-nostdin", ...args, "-"], {
			encoding: "buffer",
			maxBuffer: 512 * 1024 * 1024,
		})
	).stdout;

/** Every picture of a track, as its brightness. */
async function pictures(path: string): Promise<Buffer[]> {
	const bytes = await output("-i", path, "-fps_mode", "passthrough", "-vf", "extractplanes=y", "-f", "rawvideo");
	return Array.from({ length: bytes.length / pictureBytes }, (_, n) =>
		bytes.subarray(n * pictureBytes, (n + 1) * pictureBytes),
	);
}

/** The samples of a sound from its time 0 on: those before are hidden. */
async function sound(path: string): Promise<Int16Array> {
	const filters = ["-copyts", "-i", path, "-af", "atrim=start=0", "-ac", "1", "-f", "s16le"];
	const bytes = await output(...filters);
	return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

/** How much two pictures differ: the mean of the squares. */
const difference = (a: Buffer, b: Buffer): number =>
	a.reduce((sum, value, n) => sum + (value - (b[n] ?? 0)) ** 2, 0) / a.length;

/** How many samples later than expected a piece of the whole is heard: where it differs least. */
function lag(piece: Int16Array, whole: Int16Array, start: number): number {
	const most = 600;
	const from = 200;
	const length = Math.min(4000, piece.length - from);
	let best = { lag: Number.NaN, off: Number.POSITIVE_INFINITY };
	for (let late = -most; late <= most; late += 1) {
		let off = 0;
		for (let n = from; n < from + length; n += 1)
			off += Math.abs((piece[n] as number) - (whole[start + n - late] ?? 0));
		if (off < best.off) best = { lag: late, off };
	}
	return best.lag;
}

/** A finished video whose every frame and every moment of sound is another one. */
export async function openCuts(folder: Folder, seconds: number, renditions = ["h264_720", "av1_720"]) {
	const directory = folder.outputs();
	const picture = `testsrc2=size=${size.width}x${size.height}:rate=${rate}:duration=${seconds}`;
	const source = await folder.source("sweep.mp4", {
		inputs: lavfi(picture, `aevalsrc='0.5*sin(2*PI*(300+150*t)*t)':s=48000:d=${seconds}`),
	});
	const cues = [
		{ startSeconds: 0.5, endSeconds: 2, text: "The first words" },
		{ startSeconds: 3, endSeconds: 5.5, text: "Words in the middle" },
	];
	const { plan, limits } = job(renditions, everything);
	await processVideo({
		...{ source, directory, tools, job: { plan: { ...plan, transcript: true }, limits } },
		transcriber: { name: "a listener", transcribe: async () => ({ cues, language: "en", confidence: null }) },
	});
	const tracks = ["h264_90", ...(renditions.includes("av1_720") ? ["av1_90"] : [])];
	const before = new Map<string, Buffer[]>();
	for (const track of tracks) before.set(track, await pictures(join(directory, `media/${track}.mp4`)));
	const heard = await sound(join(directory, "media/audio.m4a"));

	/** Cuts from one frame to the one before another, and compares every picture and the sound. */
	async function expectCut(first: number, end: number, from = directory, offset = 0) {
		const target = folder.outputs();
		const made = await cutVideo({
			...{ source: from, directory: target, tools },
			...{ startSeconds: first / rate, endSeconds: end / rate },
		});
		const { cut } = made.report as { cut: { renditions: { name: string; encoded_frames: number; whole: boolean }[] } };
		for (const track of tracks) {
			const path = join(target, `media/${track}.mp4`);
			await decodes(path);
			const old = (before.get(track) as Buffer[]).slice(first + offset, end + offset);
			const shown = await pictures(path);
			expect(shown, `${track} from ${first} to ${end}`).toHaveLength(old.length);
			const told = cut.renditions.find(({ name }) => name === track);
			const changed = shown.flatMap((one, n) => (one.equals(old[n] as Buffer) ? [] : [n]));
			expect(told?.whole).toBe(false);
			if (offset === 0) expect(changed.length).toBeLessThanOrEqual(told?.encoded_frames ?? 0);
			for (const n of changed) {
				const off = difference(shown[n] as Buffer, old[n] as Buffer);
				for (const other of [n - 1, n + 1])
					if (old[other] !== undefined) expect(off).toBeLessThan(difference(shown[n] as Buffer, old[other]) / 2);
			}
		}
		const kept = await sound(join(target, "media/audio.m4a"));
		const samples = ((end - first) * 48_000) / rate;
		expect(Math.abs(kept.length - samples)).toBeLessThanOrEqual(1024);
		if (samples > 3000) expect(lag(kept, heard, Math.round(((first + offset) * 48_000) / rate))).toBe(0);
		const web = await sound(join(target, "web.mp4"));
		if (samples > 3000) expect(lag(web, heard, Math.round(((first + offset) * 48_000) / rate))).toBe(0);
		expect(await pictures(join(target, "web.mp4"))).toEqual(await pictures(join(target, "media/h264_90.mp4")));
		return { made, directory: target, cut };
	}

	return { directory, expectCut };
}
