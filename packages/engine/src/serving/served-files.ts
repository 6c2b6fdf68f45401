import type { Visibility } from "@reelmill/contracts";
import { edgeDigest } from "../playback/index.ts";
import { type ByteRange, contentTypeOf } from "../ports/index.ts";
import { folderOf, isAdded } from "../videos/index.ts";
import type { HotObjects } from "./hot-objects.ts";
import type { ReadPart } from "./read-part.ts";
import type { ServedBytes } from "./served-bytes.ts";
import { isServed } from "./served-paths.ts";
import type { ServedVideo } from "./served-videos.ts";

/** A file that may be sent to a viewer. */
export type ServedFile = {
	/** In bytes. */
	readonly size: number;
	/** A strong validator in its quotes (RFC 9110, section 8.8.3). */
	readonly etag: string;
	readonly contentType: string;
	readonly visibility: Visibility;
	/** Names its domain to an edge that follows the domain: the first 12 bytes of the SHA-256 of the id, in base64url. */
	readonly domainDigest: string;
	/** The origins that may read it; an empty list means any. */
	readonly corsOrigins: readonly string[];
	/** False if the video isn't available yet: another file will be served at the same path. */
	readonly isFinal: boolean;
	/** Whether it came after the video was available: it may be changed again, so nobody keeps it for long. */
	readonly isAdded: boolean;
	/** Returns the bytes of `range` (default: all). */
	read(range?: ByteRange): Promise<ServedBytes>;
	/** Returns what `read` would resolve to if that is in memory; undefined otherwise. */
	peek(range?: ByteRange): ServedBytes | undefined;
};

/** Returns the file at `path` of a video, or null if the video has none that is for viewers. */
export type FindServedFile = (video: ServedVideo, path: string) => ServedFile | null;

/** Each file is made once, and remembered for as long as its video's row is. */
export function createServedFiles({
	hotObjects,
	readPart,
}: {
	hotObjects: HotObjects;
	readPart: ReadPart;
}): FindServedFile {
	const make: FindServedFile = (video, path) => {
		const contentType = isServed(path) ? contentTypeOf(path) : null;
		const isFinal = video.state === "available";
		const made = isFinal ? video.outputs : video.playable;
		if (!made || !Object.hasOwn(made.files, path) || contentType === null) return null;
		const folder = folderOf(made, path);
		const key = folder + path;
		const size = made.files[path] as number;
		const all = { start: 0, end: size - 1 };
		const nameOf = ({ start, end }: ByteRange) => `${key} ${start}-${end}`;
		const nameOfAll = nameOf(all);
		return {
			size,
			contentType,
			visibility: video.visibility,
			domainDigest: edgeDigest(video.domain_id),
			corsOrigins: video.config.cors_origins ?? [],
			isFinal,
			isAdded: isAdded(made, path),
			etag: etagOf(folder, path),
			read(part = all) {
				return hotObjects.get(nameOf(part), part.end - part.start + 1, () => readPart(video, key, part, size));
			},
			peek: (part) => hotObjects.peek(part === undefined ? nameOfAll : nameOf(part)),
		};
	};
	const files = new WeakMap<ServedVideo, Map<string, ServedFile>>();
	return (video, path) => {
		let known = files.get(video);
		if (known === undefined) {
			known = new Map();
			files.set(video, known);
		}
		const file = known.get(path) ?? make(video, path);
		if (file !== null) known.set(path, file);
		return file;
	};
}

/**
 * A folder of outputs is written once. The folder's own name, which is that of an attempt or an archive, and the path
 * therefore name the bytes.
 */
const etagOf = (folder: string, path: string): string =>
	`"${folder.split("/").at(-2)}-${Buffer.from(path).toString("base64url")}"`;
