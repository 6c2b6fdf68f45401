import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Track } from "../mp4/track.ts";
import type { Programs } from "../run/programs.ts";
import { jpegColours } from "./jpeg-colours.ts";
import { type Look, lookOf } from "./picture-quality.ts";
import { fitInto, layOutStoryboard, storyboardVtt } from "./storyboard.ts";

export type KeyFrameOutputs = {
	readonly storyboard: boolean;
	readonly frames: boolean;
	/** How much of the height, from the top, samples are taken of. */
	readonly judgedShare: number;
};

/** What one picture shows, and when. */
export type Sample = Look & { readonly seconds: number };

/** Of a video with fewer key frames than this, pictures between them are looked at too. */
const fewKeyFrames = 5;
const samplesPerSecond = 4;

/**
 * Decodes the key frames of a finished track once, for everything that is made of them: the storyboard
 * (`storyboard.vtt` and its sheet), the frames for moderation (`frames/00001.jpg`..., one for every key frame), and
 * samples to choose a thumbnail from. A short video is decoded whole, since its few key frames may show nothing.
 */
export async function useKeyFrames(
	programs: Programs,
	{
		track,
		path,
		directory,
		signal,
	}: { track: Track; path: string; directory: string; signal?: AbortSignal | undefined },
	{ storyboard, frames, judgedShare }: KeyFrameOutputs,
): Promise<{ files: string[]; samples: Sample[] }> {
	const judged = { width: track.width, height: Math.max(2, Math.floor(track.height * judgedShare)) };
	const size = fitInto(320, judged);
	const bytes = size.width * size.height;
	const short = track.segments.length < fewKeyFrames;
	const sheet = layOutStoryboard(track);
	// A filter chain of its own for each output: a complex graph would make ffmpeg decode what `-discard` leaves out.
	const output = (filters: string, ...target: string[]) => [
		"-map",
		"0:v",
		"-vf",
		filters,
		"-fps_mode",
		"passthrough",
		...target,
	];
	const grey = `${short ? `fps=${samplesPerSecond}` : "select=key"},crop=${judged.width}:${judged.height}:0:0,scale=${size.width}:${size.height}:flags=area,format=gray`;
	const outputs = output(grey, "-f", "rawvideo", "pipe:1");
	const writes: string[] = [];
	const files: string[] = [];
	const addJpeg = async (name: string, filter: string) => {
		await mkdir(join(directory, name), { recursive: true });
		writes.push(join(directory, name));
		outputs.push(
			...output(`select=key,${filter},${jpegColours}`, "-q:v", "4", "-f", "image2", join(directory, name, "%05d.jpg")),
		);
	};
	if (storyboard) {
		const { tile, columns, rows, every } = sheet;
		await addJpeg(
			"storyboard",
			`select='not(mod(n,${every}))',scale=${tile.width}:${tile.height}:flags=area,tile=${columns}x${rows}`,
		);
		await writeFile(join(directory, "storyboard.vtt"), storyboardVtt(sheet, "storyboard/00001.jpg"));
		files.push("storyboard.vtt", "storyboard/00001.jpg");
	}
	if (frames) {
		const { width, height } = fitInto(640, track);
		await addJpeg("frames", `scale=${width}:${height}:flags=area`);
		files.push(...track.segments.map((_, n) => `frames/${String(n + 1).padStart(5, "0")}.jpg`));
	}

	const samples: Sample[] = [];
	const picture = Buffer.alloc(bytes);
	let filled = 0;
	const onOutput = (chunk: Buffer) => {
		for (let at = 0; at < chunk.length; ) {
			const copied = chunk.copy(picture, filled, at, Math.min(chunk.length, at + bytes - filled));
			at += copied;
			filled += copied;
			if (filled < bytes) return;
			filled = 0;
			const n = samples.length;
			samples.push({
				...lookOf(picture, size),
				seconds: short ? n / samplesPerSecond : (track.segments[n]?.startSeconds ?? 0),
			});
		}
	};
	// Not -skip_frame: the AV1 decoder doesn't know it.
	const discard = short ? [] : ["-discard", "nokey"];
	const args = ["-nostdin", "-v", "error", "-y", ...discard, "-f", "mov", "-i", path, ...outputs];
	await programs.run("ffmpeg", args, { signal, reads: [path], writes, onOutput });
	return { files, samples };
}
