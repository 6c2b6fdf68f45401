import type { UploadSource } from "./media-facts.ts";

export type { UploadSource };

/** A file that takes longer is sent unread: what the page can know early must never keep a film from the service. */
const longestMilliseconds = 5000;
const known = new WeakMap<Blob, Promise<UploadSource | null>>();

/**
 * Reads a film's length, size and rotation, once for each file. The code that does so is loaded at the first call.
 * Resolves to null if the file is none that is understood here (MP4, MOV, Matroska, WebM), if it has no picture, if the
 * code can't be loaded, or after five seconds. Never rejects.
 */
export function readUploadSource(file: Blob): Promise<UploadSource | null> {
	const source = known.get(file) ?? read(file).catch(() => null);
	known.set(file, source);
	return source;
}

async function read(file: Blob): Promise<UploadSource | null> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<null>((resolve) => {
		timer = setTimeout(resolve, longestMilliseconds, null);
	});
	const facts = import("./media-facts.ts").then(({ readMediaFacts }) => readMediaFacts(file));
	return Promise.race([facts, late]).finally(() => clearTimeout(timer));
}

/**
 * Returns the film's length as `createVideo` takes it, in whole seconds, rounded down: a part of a second makes no film
 * too long. The object is empty if the length is unknown.
 * @example
 * ```ts
 * import { durationOf } from "@reelmill/browser/upload";
 *
 * console.log(durationOf({ duration: 42.6, width: 1080, height: 1920, rotation: 90 })); // => {duration_seconds: 42}
 * console.log(durationOf(null)); // => {}
 * ```
 */
export const durationOf = (source: UploadSource | null): { duration_seconds?: number } =>
	source?.duration == null ? {} : { duration_seconds: Math.max(1, Math.floor(source.duration)) };
