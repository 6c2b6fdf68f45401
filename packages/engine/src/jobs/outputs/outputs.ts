import { isUuidV4, type OutputFile, outputSumsFile, ReelmillError, renderOutputSums } from "@reelmill/contracts";
import { type ObjectStorage, StorageError, type StoredObject } from "../../ports/index.ts";
import { summing } from "../../sums/index.ts";
import { attemptPrefix, type VideoRecord } from "../../videos/index.ts";
import type { ArchiveEntries } from "../job-operations.ts";

/**
 * The folder of one archive within its attempt's. An archive that was sent twice, and still arrives when the attempt is
 * complete, can't change what is served. Files that a worker puts by URLs lie in the attempt's folder itself: `archive`
 * is null for them.
 */
export const archivePrefix = (domainId: string, videoId: string, lock: string, archive: string | null): string =>
	attemptPrefix(domainId, videoId, lock) + (archive === null ? "" : `${archive}/`);

/**
 * The folder of what can be played before the job is done. It lies beside the attempt's folder, so that its files never
 * count as the attempt's outputs.
 */
export const playablePrefix = (domainId: string, videoId: string, playable: string): string =>
	`${domainId}/${videoId}/playable/${playable}/`;

/**
 * Checks that outputs may have this path.
 *
 * @throws {ReelmillError} `invalid_zip_entry` when it leaves the attempt's folder or isn't well-formed.
 */
function checkOutputPath(path: string): void {
	const wellFormed = path.length <= 512 && path.split("/").every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(part));
	if (!wellFormed)
		throw new ReelmillError("invalid_zip_entry", {
			message: `${JSON.stringify(path.slice(0, 200))} is not a path that outputs may have.`,
		});
}

/**
 * Returns a check to be called with each path of one archive. It throws `invalid_zip_entry` for a path that outputs
 * can't have, and for a path that comes a second time.
 */
export function createPathCheck(): (path: string) => void {
	const seen = new Set<string>();
	return (path) => {
		checkOutputPath(path);
		if (seen.has(path)) throw new ReelmillError("invalid_zip_entry", { message: `${path} comes twice.` });
		seen.add(path);
	};
}

/** The one output of an outro. */
export const mezzanine = "mezzanine.mp4";

/** Returns the files that a job's plan asks for. They must be there, whatever the worker declares. */
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

/** A file that a worker says it made, with its size in bytes if the worker gave one. */
export type DeclaredFile = string | OutputFile;

/** How many files are listed at most. An attempt may declare half as many. */
const mostFiles = 20_000;

/**
 * Lists the objects under `prefix`.
 *
 * @throws {ReelmillError} `storage_unavailable` when the storage lists more than {@link mostFiles}.
 */
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
 * Returns the size in bytes of every file under `prefix`, by path.
 *
 * @throws {ReelmillError} `outputs_incomplete` with the paths of `wanted` that are missing or have another size.
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
 * Does the same for the attempt in `folder`, and returns as `strays` what else lies there: folders, which end with a
 * slash, and files. Another archive was being stored by a server that was killed, or still arrives and will fail. Files
 * of no archive were put by URLs, before the worker sent an archive after all.
 */
export async function collectAttempt(
	storage: ObjectStorage,
	{ folder, archive }: { readonly folder: string; readonly archive: string | null },
	wanted: readonly DeclaredFile[],
): Promise<{ readonly files: Record<string, number>; readonly strays: readonly string[] }> {
	const sizes = new Map<string, number>();
	const strays = new Set<string>();
	for await (const { key, size } of listed(storage, folder)) {
		const path = key.slice(folder.length);
		const [first = ""] = path.split("/", 1);
		const found = isUuidV4(first) && path !== first ? first : null;
		if (found === archive) sizes.set(archive === null ? path : path.slice(archive.length + 1), size);
		else strays.add(folder + first + (path === first ? "" : "/"));
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

/**
 * Stores each entry under `prefix`. With `keepsSums` it sums up the bytes as they pass, and stores the sums beside them,
 * in place of those that the archive may have: a worker's statement is not needed where the server sees the bytes.
 *
 * @throws {ReelmillError} `invalid_zip_entry` when a path isn't allowed or comes twice.
 */
export async function storeFiles(
	storage: ObjectStorage,
	prefix: string,
	entries: ArchiveEntries,
	{ keepsSums = false } = {},
): Promise<void> {
	const check = createPathCheck();
	const sums = new Map<string, string>();
	for await (const { path, bytes, release } of entries) {
		check(path);
		if (!keepsSums) await storage.put(prefix + path, bytes, { release });
		else if (path !== outputSumsFile) {
			const passing = summing(bytes);
			await storage.put(prefix + path, passing.bytes, { release });
			sums.set(path, passing.sum());
		}
	}
	if (sums.size > 0) await storage.put(prefix + outputSumsFile, once(renderOutputSums(sums)));
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text);
}
