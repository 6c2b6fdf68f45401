import { isUuidV4, type OutputFile, ReelmillError } from "@reelmill/contracts";
import { type Bytes, type ObjectStorage, StorageError, type StoredObject } from "../ports/index.ts";
import type { VideoRecord } from "../videos/index.ts";

/**
 * Outputs of one attempt lie apart from those of any other: a stalled worker that wakes up can change nothing that is
 * served.
 */
export const attemptPrefix = (domainId: string, videoId: string, lock: string): string =>
	`${domainId}/${videoId}/${lock}/`;
/**
 * So do those of one archive: one that was sent twice, and still arrives when the attempt is complete, can change
 * nothing that is served either. What a worker puts itself, by URLs, lies in the attempt's folder.
 */
export const deliveryPrefix = (domainId: string, videoId: string, lock: string, delivery: string | null): string =>
	attemptPrefix(domainId, videoId, lock) + (delivery === null ? "" : `${delivery}/`);

/**
 * What can be played before the job is done lies beside the attempt's folder, so that it is never taken for its
 * outputs.
 */
export const playablePrefix = (domainId: string, videoId: string, playable: string): string =>
	`${domainId}/${videoId}/playable/${playable}/`;

/** Throws `invalid_zip_entry` for a path that leaves the attempt's folder or isn't one that outputs have. */
function checkOutputPath(path: string): void {
	const wellFormed = path.length <= 512 && path.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(part));
	if (!wellFormed)
		throw new ReelmillError("invalid_zip_entry", {
			message: `${JSON.stringify(path.slice(0, 200))} is not a path that outputs may have.`,
		});
}

/**
 * A check to be called with each path of one delivery. Throws `invalid_zip_entry` for one that outputs can't have, and
 * for one that comes twice.
 */
export function createPathCheck(): (path: string) => void {
	const seen = new Set<string>();
	return (path) => {
		checkOutputPath(path);
		if (seen.has(path)) throw new ReelmillError("invalid_zip_entry", { message: `${path} comes twice.` });
		seen.add(path);
	};
}

/** The one file that an outro is normalised to. */
export const mezzanine = "mezzanine.mp4";

/** The files that a job asks for, whatever the worker says it made. */
export function plannedFiles({
	kind,
	plan: { outputs, moderation_frames },
}: Pick<VideoRecord, "kind" | "plan">): string[] {
	if (kind === "outro") return [mezzanine];
	return [
		...(outputs.hls ? ["hls/master.m3u8"] : []),
		...(outputs.dash ? ["dash/manifest.mpd"] : []),
		...(outputs.mp4_fallback ? ["web.mp4"] : []),
		...(outputs.og_thumbnail ? ["og.jpg"] : []),
		...(moderation_frames ? ["frames/00001.jpg"] : []),
	];
}

/** A file that a worker says it made, with its size in bytes where that is said too. */
export type DeclaredFile = string | OutputFile;

/** An attempt declares half of them at most. */
const mostFiles = 20_000;

/** What lies under `prefix`. Throws `storage_unavailable` where that has no end. */
async function* listed(storage: ObjectStorage, prefix: string): AsyncGenerator<StoredObject> {
	let files = 0;
	for await (const object of storage.list(prefix)) {
		files += 1;
		if (files > mostFiles)
			throw new ReelmillError("storage_unavailable", {
				cause: new StorageError("failed", "The storage lists without end"),
			});
		yield object;
	}
}

/**
 * Size in bytes of every file under `prefix`, by path. Throws `outputs_incomplete` with the paths of `wanted` that
 * aren't there, or not with the size declared.
 */
export async function collectFiles(
	storage: ObjectStorage,
	prefix: string,
	wanted: readonly DeclaredFile[],
): Promise<Record<string, number>> {
	const sizes = new Map<string, number>();
	for await (const { key, size } of listed(storage, prefix)) sizes.set(key.slice(prefix.length), size);
	return complete(sizes, wanted);
}

/**
 * The same for the attempt in `folder`, and the folders of archives that it doesn't complete with: of one that a server
 * stored when it was killed nobody else knows, and one that still arrives comes to nothing.
 */
export async function collectAttempt(
	storage: ObjectStorage,
	{ folder, delivery }: { readonly folder: string; readonly delivery: string | null },
	wanted: readonly DeclaredFile[],
): Promise<{ readonly files: Record<string, number>; readonly strays: readonly string[] }> {
	const sizes = new Map<string, number>();
	const strays = new Set<string>();
	for await (const { key, size } of listed(storage, folder)) {
		const path = key.slice(folder.length);
		const [first = ""] = path.split("/", 1);
		const archive = isUuidV4(first) && path !== first ? first : null;
		if (archive === delivery) sizes.set(delivery === null ? path : path.slice(delivery.length + 1), size);
		else if (archive !== null) strays.add(`${folder}${archive}/`);
	}
	return { files: complete(sizes, wanted), strays: [...strays] };
}

function complete(sizes: ReadonlyMap<string, number>, wanted: readonly DeclaredFile[]): Record<string, number> {
	const lacking = (file: DeclaredFile): boolean =>
		typeof file === "string" ? !sizes.has(file) : sizes.get(file.path) !== file.size;
	const missing = [...new Set(wanted.filter(lacking).map((file) => (typeof file === "string" ? file : file.path)))];
	if (missing.length > 0)
		throw new ReelmillError("outputs_incomplete", { message: `Missing: ${missing.join(", ")}.`, extras: { missing } });
	return Object.fromEntries([...sizes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Stores each entry under `prefix`. Throws `invalid_zip_entry`, for a path that comes twice too. */
export async function storeFiles(
	storage: ObjectStorage,
	prefix: string,
	entries: AsyncIterable<{ readonly path: string; readonly bytes: Bytes }>,
): Promise<void> {
	const check = createPathCheck();
	for await (const { path, bytes } of entries) {
		check(path);
		await storage.put(prefix + path, bytes);
	}
}
