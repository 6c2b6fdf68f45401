import type { Track } from "../mp4/track.ts";
import type { Size } from "../types.ts";

/** A sheet of small pictures of a video, one every few seconds, and the place of each. */
export type Storyboard = {
	/** The size of one picture. */
	readonly tile: Size;
	readonly columns: number;
	readonly rows: number;
	/** One key frame of this many has a picture. */
	readonly every: number;
	readonly cues: readonly { readonly from: number; readonly to: number; readonly x: number; readonly y: number }[];
};

const mostTiles = 100;
const widestRow = 10;

/** Returns a size that fits into a square box, in even pixels. It is never larger than the given size. */
export function fitInto(box: number, { width, height }: Size): Size {
	const scale = Math.min(1, box / Math.max(width, height));
	const even = (pixels: number) => Math.max(2, Math.round((pixels * scale) / 2) * 2);
	return { width: even(width), height: even(height) };
}

/** Returns how many key frames a picture of the sheet stands for. */
export const keyFramesPerTile = (track: Track): number => Math.ceil(track.segments.length / mostTiles);

/** Lays out the key frames of a track on one sheet of at most a hundred pictures. Of a long video some are left out. */
export function layOutStoryboard(track: Track): Storyboard {
	const every = keyFramesPerTile(track);
	const starts = track.segments
		.filter((_, n) => n % every === 0)
		.map((segment) => segment.startSeconds - (track.segments[0]?.startSeconds ?? 0));
	return { ...layOutTiles(fitInto(160, track), starts, track.seconds), every };
}

/** Lays out pictures on a sheet, each of which is shown from its moment on. */
export function layOutTiles(tile: Size, starts: readonly number[], seconds: number): Omit<Storyboard, "every"> {
	const columns = Math.min(widestRow, starts.length);
	const cues = starts.map((from, n) => {
		return {
			from,
			to: starts[n + 1] ?? seconds,
			x: (n % columns) * tile.width,
			y: Math.floor(n / columns) * tile.height,
		};
	});
	return { tile, columns, rows: Math.ceil(starts.length / columns), cues };
}

/** The paths of a storyboard: the text with the places of the pictures, and the sheet. */
export const storyboardFiles = ["storyboard.vtt", "storyboard/00001.jpg"] as const;

const timestamp = (seconds: number): string => {
	const milliseconds = Math.round(seconds * 1000);
	const part = (unit: number, base: number, digits: number) =>
		String(Math.floor(milliseconds / unit) % base).padStart(digits, "0");
	return `${part(3_600_000, 100, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`;
};

/**
 * Returns WebVTT whose cues name a part of the sheet by a media fragment (`#xywh`, W3C Media Fragments 1.0). `sheet` is
 * the sheet's address as seen from the text.
 */
export function storyboardVtt({ cues, tile }: Storyboard, sheet: string): string {
	const blocks = cues.map(
		({ from, to, x, y }) =>
			`${timestamp(from)} --> ${timestamp(to)}\n${sheet}#xywh=${x},${y},${tile.width},${tile.height}\n`,
	);
	return ["WEBVTT\n", ...blocks].join("\n");
}
