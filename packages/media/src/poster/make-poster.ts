import { resolve } from "node:path";
import { MediaError, ProgramError } from "../errors.ts";
import { openPrograms } from "../run/programs.ts";
import { guardedPicture, type PictureFormat } from "../source/guarded-input.ts";
import { writePictureOf, writeThumbnail } from "../stills/thumbnail.ts";
import type { Logger, Size, Tools } from "../types.ts";
import { framesAt, type NeedBytes } from "./frames-at.ts";
import { writePreview } from "./write-preview.ts";

/** What pictures of a video are made of. */
export type PosterSource =
	| {
			/** A finished MP4 file of the video, as `processVideo` made it. */
			readonly path: string;
			readonly bytes: number;
			/** The moment whose frame is wanted, in seconds. After the last frame, that is meant. */
			readonly atSeconds: number;
			/** Whether a moving preview is wanted as well (default: false). */
			readonly preview?: boolean;
			/**
			 * Brings bytes to their place in the file, which need not have them before (default: it has all). Only those
			 * are read that were asked for.
			 */
			readonly need?: NeedBytes;
	  }
	| {
			/** A single picture, of whoever sent it. */
			readonly path: string;
			readonly format: PictureFormat;
	  };

/** How posters are made. */
export type PosterOptions = {
	readonly source: PosterSource;
	/** The video's size, whose shape `poster.jpg` gets. */
	readonly size: Size;
	/** An existing folder that takes the pictures. */
	readonly directory: string;
	/** An existing folder for what is needed in between. */
	readonly folder: string;
	readonly tools: Tools;
	readonly logger?: Logger;
	readonly signal?: AbortSignal;
	/** How many seconds each program may take before it is killed (default: 14,400). */
	readonly maxSeconds?: number;
};

const previewSeconds = 3;

/**
 * Makes `poster.jpg`, in the video's shape, and `og.jpg`, of 1200x630, of a frame of a finished video or of a picture,
 * and `preview.webp` if that is wanted: 3 seconds from the frame on, in less than 500 kB. Returns their paths. Calling it
 * twice writes them again. No program is left running when the promise settles.
 * @throws {MediaError} `invalid_media` when a picture can't be read
 * @throws {Error} when the finished file has another form than ours
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { stat } from "node:fs/promises";
 * import { makePoster } from "@reelmill/media";
 *
 * const files = await makePoster({
 * 	source: { path: "clip.mp4", bytes: (await stat("clip.mp4")).size, atSeconds: 1.5 },
 * 	size: { width: 1280, height: 720 },
 * 	directory: ".",
 * 	folder: ".",
 * 	tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
 * });
 * console.log(files); // => [ 'og.jpg', 'poster.jpg' ]
 * ```
 */
export async function makePoster({
	source,
	size,
	tools,
	logger,
	signal,
	maxSeconds,
	...folders
}: PosterOptions): Promise<string[]> {
	const [directory, folder, path] = [resolve(folders.directory), resolve(folders.folder), resolve(source.path)];
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	const run = { programs, signal, directory };
	if ("format" in source)
		return writePictureOf(run, { input: guardedPicture(source.format, path), path }, size).catch((error: unknown) => {
			if (!(error instanceof ProgramError) || error.code === null) throw error;
			throw new MediaError("invalid_media", "The picture can't be read.", { cause: error });
		});
	const { bytes, atSeconds, preview = false, need = async () => {} } = source;
	const wanted = { atSeconds, ...(preview && { lastingSeconds: previewSeconds }) };
	const found = await framesAt({ programs, signal, source: path, size: bytes, need, folder }, wanted);
	const files = await writeThumbnail(run, { track: size, path: found.path, seconds: found.seconds });
	if (found.from === null) return files;
	return [...files, await writePreview(run, { path: found.path, from: found.from, seconds: previewSeconds })];
}
