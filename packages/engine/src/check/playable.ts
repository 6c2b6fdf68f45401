import { isOfOpening } from "../playlists/index.ts";
import type { StoredOutputs } from "../videos/index.ts";

/**
 * Paths that streaming depends on as a whole: players go from a playlist to everything that it names. The opening needs
 * them, and they don't need it.
 */
const isOfStream = (path: string): boolean => /^(?:hls|dash|media)\//.test(path) && !isOfOpening(path);
const entries = ["hls/master.m3u8", "dash/manifest.mpd"];

export type Verdict =
	| { readonly type: "whole" }
	/** Nothing plays any more. */
	| { readonly type: "unplayable" }
	/** It plays without these files. */
	| { readonly type: "lessened"; readonly without: readonly string[] };

/** Decides what becomes of outputs of which the files at `missing` aren't stored. Pure. */
export function verdict({ files }: Pick<StoredOutputs, "files">, missing: readonly string[]): Verdict {
	if (missing.length === 0) return { type: "whole" };
	const gone = new Set(missing);
	const streams = entries.some((path) => path in files) && !missing.some(isOfStream);
	const plain = "web.mp4" in files && !gone.has("web.mp4");
	if (!streams && !plain) return { type: "unplayable" };
	const opens = streams && !missing.some(isOfOpening);
	return {
		type: "lessened",
		without: Object.keys(files).filter(
			(path) => gone.has(path) || (!streams && isOfStream(path)) || (!opens && isOfOpening(path)),
		),
	};
}
