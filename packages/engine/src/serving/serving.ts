import { isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Chores } from "../background/index.ts";
import type { PlaybackNoun } from "../playback/index.ts";
import { readable, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { createFirstPlays } from "./first-plays.ts";
import { createHotObjects, type HotObjects } from "./hot-objects.ts";
import { createLostFiles } from "./lost-files.ts";
import { createOpenedObjects } from "./opened-objects.ts";
import { createReadPart } from "./read-part.ts";
import { createServedFiles, type ServedFile } from "./served-files.ts";
import { createServedVideos, type ServedVideo } from "./served-videos.ts";
import { createViewerAuthorisation } from "./viewer-authorisation.ts";

/** Finds the files that viewers ask for, and says whether they may have them. */
export type Serving = {
	/**
	 * Returns the file at `path` of a video if this Authorization header opens it. Changes that other servers made are
	 * seen within 2 s.
	 *
	 * @throws {ReelmillError} `invalid_path`; `playback_key_required` when a private or unknown video is asked for
	 * without a key; `playback_key_invalid` when the key doesn't open the video (an unknown video answers as a private
	 * one); `not_found` when there is no such file; `storage_backend_unsupported` when its storage gives no bytes.
	 */
	open(request: ServingRequest): Promise<ServedFile>;
	/** Does the same as `open`, but returns or throws at once if nothing has to be waited for. */
	openNow(request: ServingRequest): ServedFile | Promise<ServedFile>;
};

export type ServingRequest = { readonly videoId: string; readonly path: string; readonly authorization: string | null };

/** The serving, with what the engine's other nouns and its background need of it. */
export type ServingNoun = Serving & {
	/** Forgets what is remembered of a video that was just changed here. */
	forget(videoId: string): void;
	/** Forgets all videos: something was changed here that many of them depend on. */
	forgetAll(): void;
	/** Returns how often bytes came from memory and how often not, and how many bytes are kept there. */
	counts(): ReturnType<HotObjects["counts"]>;
	/** Returns how often a video's storage didn't have a file that the video has by its record. */
	lost(): number;
	readonly chores: Chores;
};

export type ServingOptions = {
	readonly stores: Stores;
	readonly playback: Pick<PlaybackNoun, "opens">;
	/** Whether what can be played of a video is served before it is available. */
	readonly playableFirst: boolean;
	/** Memory for outputs that are asked for again and again, in bytes (default: 128 MiB; 0 keeps none). */
	readonly cacheBytes: number | undefined;
};

const defaultCacheBytes = 128 * 1024 * 1024;
/** Far below 1024, which is how many files a process may have open by default. */
const openedAtOnce = 256;

export function createServing(parts: Parts, options: ServingOptions): ServingNoun {
	const { stores, playback, playableFirst, cacheBytes = defaultCacheBytes } = options;
	const lost = createLostFiles(parts);
	const hotObjects = createHotObjects({ maxBytes: cacheBytes });
	const opened = createOpenedObjects({ clock: parts.clock, max: openedAtOnce });
	const videos = createServedVideos(parts, { playableFirst });
	const authorise = createViewerAuthorisation({ videos, playback });
	const findFile = createServedFiles({ hotObjects, readPart: createReadPart({ stores, opened, lost }) });
	const firstPlays = createFirstPlays(parts);
	const checkReadable = createReadableCheck(stores);
	const fileOf = (video: ServedVideo, path: string): ServedFile | Promise<ServedFile> => {
		const file = findFile(video, path);
		if (file === null) throw new ReelmillError("not_found", { message: "The video has no such file." });
		const noted = () => {
			firstPlays.note(video.domain_id, path);
			return file;
		};
		const check = checkReadable(video);
		return check === undefined ? noted() : check.then(noted);
	};
	const openNow: Serving["openNow"] = ({ videoId, path, authorization }) => {
		checkPath(videoId, path);
		const authorised = authorise(videoId, authorization);
		return authorised instanceof Promise ? authorised.then((video) => fileOf(video, path)) : fileOf(authorised, path);
	};
	return {
		openNow,
		open: async (request) => openNow(request),
		forget(videoId) {
			videos.forget(videoId);
			opened.forget(`${videoId} `);
		},
		forgetAll() {
			videos.forgetAll();
			opened.forget("");
		},
		counts: hotObjects.counts,
		lost: lost.count,
		chores: { closeIdleOutputs: async () => opened.closeIdle() },
	};
}

/**
 * Returns a check whether a video's storage gives bytes at all, so that this is known before an answer begins, also to
 * a HEAD request. A storage that can't be opened now passes: the read will tell.
 */
function createReadableCheck(stores: Stores): (video: ServedVideo) => Promise<void> | undefined {
	const passed = new WeakSet<ServedVideo>();
	const checks = new WeakMap<ServedVideo, Promise<void>>();
	return (video) => {
		if (passed.has(video)) return undefined;
		const known = checks.get(video);
		if (known !== undefined) return known;
		const check = stores.of(video.storage_profile_id).then(
			({ outputs }) => {
				readable(outputs);
				passed.add(video);
			},
			() => void passed.add(video),
		);
		checks.set(video, check);
		return check;
	};
}

function checkPath(videoId: string, path: string): void {
	const wellFormed =
		isUuidV4(videoId) &&
		path.length <= 512 &&
		/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(path);
	if (!wellFormed) throw new ReelmillError("invalid_path");
}
