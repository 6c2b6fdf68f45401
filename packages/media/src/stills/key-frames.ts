import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Track } from "../mp4/track.ts";
import type { Run } from "../run/programs.ts";
import type { Size } from "../types.ts";
import { jpegColours } from "./jpeg-colours.ts";
import { measurePicture, type Picture } from "./picture.ts";
import { fitInto, layOutStoryboard, type Storyboard, storyboardFiles, storyboardVtt } from "./storyboard.ts";

export type KeyFrameOutputs = {
	readonly storyboard: boolean;
	readonly frames: boolean;
	/** The share of the height, from the top, that is judged. */
	readonly judgedShare: number;
	/**
	 * Whether the track has key frames alone, of which only small pictures are made, and some are judged (default: false).
	 */
	readonly isRough?: boolean;
};

/** Pictures that were made: their files, some that were measured, and how the storyboard's sheet is laid out, if there is one. */
export type Stills = {
	readonly files: readonly string[];
	readonly samples: readonly Sample[];
	readonly sheet: Storyboard | null;
};

/** What one picture shows, and when. */
export type Sample = Picture & { readonly seconds: number };

/** Of a video with fewer key frames than this, pictures between them are judged as well. */
const fewKeyFrames = 5;
const samplesPerSecond = 4;
/** How many pictures of a long cut are judged. */
export const roughSamples = 30;

/**
 * Decodes the key frames of a finished track once, for everything that is made of them: the storyboard
 * (`storyboard.vtt` and its sheet), the frames for moderation (`frames/00001.jpg`..., one for every key frame), and
 * samples of what the video shows. A short video is decoded whole: its few key frames may show nothing.
 */
export async function useKeyFrames(
	{ programs, signal, directory }: Run & { readonly directory: string },
	{ track, path }: { readonly track: Track; readonly path: string },
	{ storyboard, frames, judgedShare, isRough = false }: KeyFrameOutputs,
): Promise<Stills> {
	const judged = { width: track.width, height: Math.max(2, Math.floor(track.height * judgedShare)) };
	const size = fitInto(320, judged);
	const isShort = track.segments.length < fewKeyFrames;
	const step = isRough ? Math.ceil(track.segments.length / roughSamples) : 1;
	const pictures = isShort ? `fps=${samplesPerSecond}` : `select=key,select='not(mod(n,${step}))'`;
	const small = `${pictures},crop=${judged.width}:${judged.height}:0:0,scale=${size.width}:${size.height}:flags=area`;
	const outputs = output(`${small},format=yuv420p`, "-f", "rawvideo", "pipe:1");
	const writes: string[] = [];
	const files: string[] = [];
	const addJpeg = async (name: string, filter: string) => {
		await mkdir(join(directory, name), { recursive: true });
		writes.push(join(directory, name));
		const filters = `select=key,${filter},${jpegColours}`;
		outputs.push(...output(filters, "-q:v", "4", "-f", "image2", join(directory, name, "%05d.jpg")));
	};
	const sheet = storyboard ? layOutStoryboard(track) : null;
	if (sheet !== null) {
		const { tile, columns, rows, every } = sheet;
		const select = `select='not(mod(n,${every}))'`;
		await addJpeg("storyboard", `${select},scale=${tile.width}:${tile.height}:flags=area,tile=${columns}x${rows}`);
		const [text, picture] = storyboardFiles;
		await writeFile(join(directory, text), storyboardVtt(sheet, picture));
		files.push(text, picture);
	}
	if (frames) {
		const { width, height } = fitInto(640, track);
		await addJpeg("frames", `scale=${width}:${height}:flags=area`);
		files.push(...track.segments.map((_, n) => `frames/${String(n + 1).padStart(5, "0")}.jpg`));
	}

	const samples: Sample[] = [];
	const onOutput = splitPictures(size, (picture) => {
		const n = samples.length;
		const seconds = isShort ? n / samplesPerSecond : (track.segments[n * step]?.startSeconds ?? 0);
		samples.push({ ...measurePicture(picture, size), seconds });
	});
	// The AV1 decoder doesn't know -skip_frame. Small pictures don't show what H.264's deblocking does.
	const decoder = isRough ? ["-threads", "1", "-skip_loop_filter", "all"] : isShort ? [] : ["-discard", "nokey"];
	const args = ["-nostdin", "-v", "error", "-y", ...decoder, "-f", "mov", "-i", path, ...outputs];
	await programs.run("ffmpeg", args, { signal, reads: [path], writes, onOutput });
	return { files, samples, sheet };
}

/** Each output has a filter chain of its own: with a complex graph ffmpeg would decode what `-discard` leaves out. */
const output = (filters: string, ...target: string[]): string[] => [
	...["-map", "0:v", "-vf", filters, "-fps_mode", "passthrough"],
	...target,
];

/** Cuts a stream of bytes into pictures of a size (yuv420p). The bytes of a picture are only good during the call. */
export function splitPictures(
	{ width, height }: Size,
	onPicture: (pixels: Uint8Array) => void,
): (chunk: Buffer) => void {
	const picture = Buffer.alloc((width * height * 3) / 2);
	let filled = 0;
	return (chunk) => {
		for (let at = 0; at < chunk.length; ) {
			const copied = chunk.copy(picture, filled, at, Math.min(chunk.length, at + picture.length - filled));
			at += copied;
			filled += copied;
			if (filled < picture.length) return;
			filled = 0;
			onPicture(picture);
		}
	};
}
