import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, program, tools } from "./sources.ts";

export type Source = {
	readonly rate: number;
	readonly encode: readonly string[];
	/** Seconds by which the picture begins later than the sound, or the sound later than the picture. */
	readonly late?: { readonly picture?: number; readonly sound?: number };
	readonly filter?: string;
};
export const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** A source that flashes and beeps at once, half a second after its start and half a second before its end. */
export async function make(folder: Folder, name: string, { rate, encode, late = {}, filter }: Source): Promise<string> {
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
export async function litFrames(levels: string): Promise<{ time: number; isLit: boolean }[]> {
	const frames = [...(await readFile(levels, "utf8")).matchAll(/pts_time:(\S+)\n.*YAVG=(\S+)/g)];
	return frames.map(([, time, level]) => ({ time: Number(time), isLit: Number(level) > 100 }));
}
export const lightInto = (levels: string) =>
	`signalstats,metadata=mode=print:key=lavfi.signalstats.YAVG:file=${levels}`;

/**
 * The seconds from each flash to its beep. Both are decoded by one ffmpeg: it counts the time of a broadcast from the
 * first packet of the streams that it decodes.
 */
async function apart(folder: Folder, path: string, count = 2): Promise<number[]> {
	const [levels, raw] = [folder.path("levels.txt"), folder.path("sound.raw")];
	const sound = ["-af", "aresample=48000:async=1:first_pts=0", "-ac", "1", "-f", "s16le", raw];
	const picture = ["-map", "0:v", "-vf", lightInto(levels), "-f", "null", "-"];
	await program("ffmpeg", "-y", "-i", path, ...picture, "-map", "0:a", ...sound);
	const frames = await litFrames(levels);
	const flashes = frames.filter(({ isLit }, n) => isLit && frames[n - 1]?.isLit !== true).map(({ time }) => time);
	const bytes = await readFile(raw);
	const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
	const beeps: number[] = [];
	let silent = Number.POSITIVE_INFINITY;
	for (let n = 0; n < samples.length; n += 1) {
		const isHeard = Math.abs(samples[n] as number) >= 6000;
		if (isHeard && silent > 4800) beeps.push(n / 48_000);
		silent = isHeard ? 0 : silent + 1;
	}
	expect([flashes.length, beeps.length]).toEqual([count, count]);
	return flashes.map((time, n) => (beeps[n] as number) - time);
}

/** Expects flash and beep as far apart as in the source, to 5 ms, at start and end. */
export async function expectInStep(folder: Folder, name: string, source: Source): Promise<void> {
	const path = await make(folder, name, source);
	const directory = folder.outputs();
	await processVideo({ source: path, directory, tools, job: job(["h264_720"], { hls: false, og_thumbnail: false }) });
	const [before, after] = [await apart(folder, path), await apart(folder, join(directory, "web.mp4"))];
	const off = after.map((seconds, n) => Math.round((seconds - (before[n] as number)) * 1e4) / 10);
	expect(Math.max(...off.map(Math.abs)), `${off.join(" and ")} ms`).toBeLessThanOrEqual(5);
}

/**
 * Expects each flash within 20 ms of its beep, and nothing between, in a broadcast that is two recordings one behind the
 * other: each has a clock and a format of its own.
 */
export async function expectJoinInStep(folder: Folder, name: string, recordings: readonly Source[]): Promise<void> {
	const parts: Buffer[] = [];
	for (const [n, source] of recordings.entries())
		parts.push(await readFile(await make(folder, `${n}-${name}`, source)));
	const path = folder.path(name);
	await writeFile(path, Buffer.concat(parts));
	const directory = folder.outputs();
	const outputs = job(["h264_720"], { hls: false, og_thumbnail: false });
	const { media, report } = await processVideo({ source: path, directory, tools, job: outputs });
	const decisions = (report.decisions as { about: string; decision: string }[]).map(({ about }) => about);
	expect(decisions).toContain("clock");
	expect(Math.abs((media.duration_seconds as number) - 3 * recordings.length)).toBeLessThan(0.15);
	const off = await apart(folder, join(directory, "web.mp4"), 2 * recordings.length);
	expect(Math.max(...off.map(Math.abs)), `${off.join(", ")} s`).toBeLessThanOrEqual(0.02);
}
