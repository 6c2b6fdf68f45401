import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFragments } from "../mp4/fragments.ts";
import type { ByteRange } from "../mp4/track.ts";

/** Finished outputs that lie elsewhere. */
export type RemoteOutputs = {
	/** Each file's size in bytes, by path. */
	readonly files: Readonly<Record<string, number>>;
	/**
	 * Puts a range of a file's bytes at its place in `path`, a file of the whole size that is there already. It is called
	 * for one range at a time.
	 */
	readonly fetch: (file: string, range: ByteRange, path: string) => Promise<void>;
};

/** The finished outputs that a cut is made of, in a folder. What lies elsewhere is fetched before it is read. */
export type CutSource = {
	readonly folder: string;
	/** The paths of all of them. */
	readonly files: readonly string[];
	/** Returns the path of a file that is whole. */
	whole(file: string): Promise<string>;
	/** Reads a text. */
	text(file: string): Promise<string>;
	/** Returns the path of a track that can be opened. */
	head(file: string): Promise<string>;
	/** Returns the path of a track whose fragments can be read that have this stretch, in seconds. */
	stretch(file: string, from: number, to: number): Promise<string>;
};

/** What describes a track of the longest video, its index included, has fewer bytes. */
const headBytes = 32 * 1024;
/** More than one packet of sound. */
const marginSeconds = 0.25;

/**
 * Opens the outputs in a folder.
 * @param remote where they come from (default: all are in the folder)
 */
export async function openCutSource(folder: string, remote?: RemoteOutputs): Promise<CutSource> {
	if (remote === undefined) {
		const here = async (file: string) => join(folder, file);
		const entries = await readdir(folder, { recursive: true, withFileTypes: true });
		return {
			folder,
			files: entries
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
				.sort(),
			...{ whole: here, head: here, stretch: here },
			text: (file) => readFile(join(folder, file), "utf8"),
		};
	}
	/** How many bytes of each file are here, from its beginning on. */
	const begun = new Map<string, number>();
	const fetchUpTo = async (file: string, wanted: number): Promise<string> => {
		const path = join(folder, file);
		const before = begun.get(file);
		const size = remote.files[file] ?? 0;
		const end = Math.min(size, wanted);
		if (before === undefined) await makeRoom(path, size);
		if (end > (before ?? 0)) await remote.fetch(file, { offset: before ?? 0, length: end - (before ?? 0) }, path);
		begun.set(file, Math.max(before ?? 0, end));
		return path;
	};
	const whole = (file: string) => fetchUpTo(file, Number.POSITIVE_INFINITY);
	return {
		folder,
		files: Object.keys(remote.files).sort(),
		whole,
		text: async (file) => readFile(await whole(file), "utf8"),
		head: (file) => fetchUpTo(file, headBytes),
		async stretch(file, from, to) {
			const path = await fetchUpTo(file, headBytes);
			const track = await openFragments(path);
			await track.close();
			const [first, last] = [from - marginSeconds, to + marginSeconds].map(
				(at) => at * track.timescale + track.hiddenTicks,
			);
			const wanted = track.fragments.filter(
				({ startTicks, ticks }) => startTicks + ticks > (first as number) && startTicks < (last as number),
			);
			const offset = Math.max(wanted[0]?.offset ?? 0, begun.get(file) ?? 0);
			const end = wanted.reduce((end, range) => Math.max(end, range.offset + range.length), 0);
			if (end > offset) await remote.fetch(file, { offset, length: end - offset }, path);
			return path;
		},
	};
}

async function makeRoom(path: string, size: number): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const file = await open(path, "w");
	try {
		await file.truncate(size);
	} finally {
		await file.close();
	}
}
