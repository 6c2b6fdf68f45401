import { sumOf } from "../sums/index.ts";
import type { Discard, StoredCaptions, StoredOutputs } from "../videos/index.ts";

/** What a change of finished files comes to. Files of other paths stay. */
export type EditedFiles = {
	/** New files, or other bytes of files that were there, by path. */
	readonly files: ReadonlyMap<string, Uint8Array>;
	/** Files that viewers no longer get. */
	readonly removed?: readonly string[];
	/** The captions that players are offered from now on (default: as before). */
	readonly captions?: readonly StoredCaptions[];
};

/** Files that are stored, and what goes or comes back beside them. */
type StoredFiles = Pick<EditedFiles, "removed" | "captions"> & {
	/** By path: the size in bytes, and the sum, or `null` if nobody knows it. */
	readonly files: ReadonlyMap<string, { readonly size: number; readonly sum: string | null }>;
	/** Of first files that viewers get again, the sizes by path. */
	readonly restored?: Readonly<Record<string, number>>;
};

/** Returns the outputs after a change whose files lie in `folder`. Pure. */
export const editedOutputs = (
	before: StoredOutputs,
	folder: string,
	{ files, ...others }: EditedFiles & Pick<StoredFiles, "restored">,
): StoredOutputs => {
	const stored = [...files].map(([path, bytes]) => [path, { size: bytes.byteLength, sum: sumOf(bytes) }] as const);
	return outputsWith(before, folder, { ...others, files: new Map(stored) });
};

/** The same of files whose sizes and sums are known. Pure. */
export function outputsWith(
	before: StoredOutputs,
	folder: string,
	{ files, removed = [], restored = {}, captions }: StoredFiles,
): StoredOutputs {
	const left = <T>(table: Readonly<Record<string, T>> = {}): [string, T][] =>
		Object.entries(table).filter(
			([path]) => !removed.includes(path) && !Object.hasOwn(restored, path) && !files.has(path),
		);
	const made = <T>(of: (file: { size: number; sum: string | null }) => T): [string, T][] =>
		[...files].map(([path, file]) => [path, of(file)]);
	const table = <T>(entries: readonly [string, T][]): Record<string, T> =>
		Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
	return {
		...before,
		files: table([...left(before.files), ...Object.entries(restored), ...made(({ size }) => size)]),
		added: table([...left(before.added), ...made(() => folder)]),
		sums: table([
			...left(before.sums),
			...made(({ sum }) => sum).filter((entry): entry is [string, string] => entry[1] !== null),
		]),
		edit: (before.edit ?? 0) + 1,
		...(captions && { captions }),
	};
}

/** Viewers who have begun have this long to read what was changed. */
const readingSeconds = 3600;

/**
 * Returns what is to be deleted once `after` stands in place of `before`: files of earlier edits that it no longer has.
 * The first files stay where they are. Pure.
 */
export function replacedFiles(before: StoredOutputs, after: StoredOutputs): Discard[] {
	const kept = new Set(Object.values(after.added ?? {}));
	const references = Object.entries(before.added ?? {})
		.filter(([path, folder]) => after.added?.[path] !== folder)
		.map(([path, folder]) => (kept.has(folder) ? folder + path : folder));
	return [...new Set(references)].map((reference) => ({ kind: "outputs", reference, laterSeconds: readingSeconds }));
}
