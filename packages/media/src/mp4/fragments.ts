import { type FileHandle, open } from "node:fs/promises";
import { type Box, findBox, findEditList, hiddenTicksOf, parseSegmentIndex, topLevelBoxes } from "./boxes.ts";
import type { ByteRange } from "./track.ts";

/** One group of samples of a track with its header, wherever it lies. Its time and number are set when it is written. */
export type Fragment = {
	/** In bytes. */
	readonly length: number;
	/** How long its samples last, in the track's ticks. */
	readonly ticks: number;
	/** Reads all of it into bytes of its length. */
	readonly read: (bytes: Buffer) => Promise<void>;
};

/** Few writes, and bytes that a core's cache holds: less and more than this cost more. */
const batchBytes = 1024 * 1024;

/** Writes pieces one after another, several of them at once. */
export async function writeInBatches<P>(
	output: FileHandle,
	pieces: readonly P[],
	{
		lengthOf,
		read,
	}: { readonly lengthOf: (piece: P) => number; readonly read: (piece: P, bytes: Buffer) => Promise<void> },
): Promise<void> {
	let batch = Buffer.allocUnsafe(batchBytes);
	let filled = 0;
	const flush = async () => {
		if (filled > 0) await output.writeFile(batch.subarray(0, filled));
		filled = 0;
	};
	for (const piece of pieces) {
		const length = lengthOf(piece);
		if (filled + length > batch.length) await flush();
		if (length > batch.length) batch = Buffer.allocUnsafe(length);
		await read(piece, batch.subarray(filled, filled + length));
		filled += length;
	}
	await flush();
}

/** A fragment of an open file. */
export type FileFragment = Fragment & ByteRange & { readonly startTicks: number };

/** A finished CMAF file that is open. Its fragments can be read until it is closed. */
export type FragmentedFile = {
	/** What its decoder needs to be set up. */
	readonly initialisation: Buffer;
	readonly timescale: number;
	/** How many ticks at its beginning an edit list hides. */
	readonly hiddenTicks: number;
	readonly fragments: readonly FileFragment[];
	/** Reads where the samples of a fragment are. */
	samples(fragment: FileFragment): Promise<Sample[]>;
	close(): Promise<void>;
};

/** A sample of a track, in the order of decoding. */
export type Sample = {
	readonly ticks: number;
	readonly size: number;
	/** As ISO/IEC 14496-12 has them, section 8.8.3.1. */
	readonly flags: number;
	/** How much later it is shown than decoded, in ticks: less than 0 for earlier. */
	readonly composition: number;
	readonly file: FileHandle;
	readonly offset: number;
};

async function readRange(file: FileHandle, { offset, length }: ByteRange): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	await file.read(bytes, 0, length, offset);
	return bytes;
}

/** The header of a group of two seconds has fewer bytes. */
const usualHeader = 2048;

/** Reads the `moof` box of a fragment, without its own header. Returns `null` if another box is there. */
export async function readFragmentHeader(file: FileHandle, offset: number): Promise<Buffer | null> {
	const bytes = await readRange(file, { offset, length: usualHeader });
	const length = bytes.readUInt32BE(0);
	if (bytes.toString("latin1", 4, 8) !== "moof" || length < 8) return null;
	return (length <= usualHeader ? bytes : await readRange(file, { offset, length })).subarray(8, length);
}

/**
 * Opens a finished CMAF file.
 * @throws {Error} when it isn't one track with an index in front that has an entry for each fragment
 */
export async function openFragments(path: string): Promise<FragmentedFile> {
	const file = await open(path);
	try {
		const boxes = await topLevelBoxes(file, (await file.stat()).size, "sidx");
		const only = (type: string): Box => {
			const found = boxes.find((box) => box.type === type);
			if (found === undefined) throw new Error(`${path} has no ${type} box.`);
			return found;
		};
		const [moov, sidx] = [await readRange(file, only("moov")), only("sidx")];
		const index = parseSegmentIndex((await readRange(file, sidx)).subarray(8));
		const hiddenTicks = hiddenTicksOf(moov.subarray(8));
		let offset = sidx.offset + sidx.length + index.firstOffset;
		let startTicks = 0;
		const fragments = index.entries.map(({ length, duration }, n): FileFragment => {
			// The index counts what is shown.
			const ticks = n === 0 ? duration + hiddenTicks : duration;
			const range = { offset, length };
			const fragment = {
				...{ ...range, ticks, startTicks },
				read: async (bytes: Buffer) => void (await file.read(bytes, 0, length, range.offset)),
			};
			offset += length;
			startTicks += ticks;
			return fragment;
		});
		return {
			initialisation: Buffer.concat([await readRange(file, only("ftyp")), moov]),
			timescale: index.timescale,
			hiddenTicks,
			fragments,
			samples: (fragment) => readSamples(file, fragment),
			close: () => file.close(),
		};
	} catch (error) {
		await file.close();
		throw error;
	}
}

/** Reads the samples of a fragment. A field that the run leaves out has the fragment's default, as ffmpeg writes it. */
async function readSamples(file: FileHandle, { offset }: ByteRange): Promise<Sample[]> {
	const moof = await readFragmentHeader(file, offset);
	if (moof === null) throw new Error(`There is no fragment at ${offset}.`);
	const [defaults, run] = ["tfhd", "trun"].map((type) => findBox(moof, [{ type: "traf" }, { type }]));
	if (!defaults || !run) throw new Error(`The fragment at ${offset} has no samples.`);
	let at = 8;
	const given = defaults.readUInt32BE(0);
	const usual = (flag: number, bytes: number): number => {
		if ((given & flag) === 0) return 0;
		at += bytes;
		return defaults.readUInt32BE(at - 4);
	};
	usual(0x01, 8);
	usual(0x02, 4);
	const [ticks, size, flags] = [usual(0x08, 4), usual(0x10, 4), usual(0x20, 4)];
	const fields = run.readUInt32BE(0);
	if ((fields & 0x01) === 0) throw new Error(`The fragment at ${offset} doesn't say where its samples are.`);
	let place = offset + run.readInt32BE(8);
	at = 12;
	const next = (flag: number, fallback: number): number => {
		if ((fields & flag) === 0) return fallback;
		at += 4;
		return run.readUInt32BE(at - 4);
	};
	const first = next(0x04, flags);
	return Array.from({ length: run.readUInt32BE(4) }, (_, n) => {
		const sample = {
			ticks: next(0x100, ticks),
			size: next(0x200, size),
			flags: next(0x400, n === 0 ? first : flags),
			composition: next(0x800, 0) | 0,
			...{ file, offset: place },
		};
		place += sample.size;
		return sample;
	});
}

/** Makes a box. A number is a word of four bytes. */
export const box = (type: string, ...parts: readonly (Buffer | number)[]): Buffer => {
	const body = Buffer.concat(
		parts.map((part) => {
			if (typeof part !== "number") return part;
			const word = Buffer.alloc(4);
			word.writeUInt32BE(part >>> 0);
			return word;
		}),
	);
	const head = Buffer.alloc(8);
	head.writeUInt32BE(body.length + 8);
	head.write(type, 4, "latin1");
	return Buffer.concat([head, body]);
};

/** Times relative to the fragment's first byte: `default-base-is-moof`. */
const fromFragment = 0x020000;
/** The run says where its samples are, and of each how long, how large, of what kind and how late it is. */
const everyField = 0xf01;
/** The length of a fragment's header up to its list of samples. */
const headerLength = 8 + 16 + 8 + 16 + 20 + 20;

/** Makes a fragment of these samples, which may come from several files. */
export function fragmentOf(samples: readonly Sample[]): Fragment {
	const header = headerLength + samples.length * 16;
	const media = samples.reduce((sum, { size }) => sum + size, 0);
	return {
		length: header + 8 + media,
		ticks: samples.reduce((sum, { ticks }) => sum + ticks, 0),
		read: async (bytes) => {
			const list = Buffer.alloc(samples.length * 16);
			for (const [n, { ticks, size, flags, composition }] of samples.entries()) {
				list.writeUInt32BE(ticks, n * 16);
				list.writeUInt32BE(size, n * 16 + 4);
				list.writeUInt32BE(flags, n * 16 + 8);
				list.writeInt32BE(composition, n * 16 + 12);
			}
			const run = box("trun", (1 << 24) | everyField, samples.length, header + 8, list);
			const track = box("traf", box("tfhd", fromFragment, 1), box("tfdt", 1 << 24, 0, 0), run);
			box("moof", box("mfhd", 0, 0), track).copy(bytes);
			bytes.writeUInt32BE(media + 8, header);
			bytes.write("mdat", header + 4, "latin1");
			await readMedia(samples, bytes.subarray(header + 8));
		},
	};
}

/** Reads the bytes of samples of open files one behind another, those that lie side by side at once. */
export async function readMedia(samples: readonly Sample[], bytes: Buffer): Promise<void> {
	const ranges: { file: FileHandle; offset: number; length: number }[] = [];
	for (const { file, offset, size } of samples) {
		const last = ranges.at(-1);
		if (last?.file === file && last.offset + last.length === offset) last.length += size;
		else ranges.push({ file, offset, length: size });
	}
	let at = 0;
	for (const { file, offset, length } of ranges) {
		await file.read(bytes, at, length, offset);
		at += length;
	}
}

/**
 * Writes a track of fragments, one after another: their times and numbers are set, and one index is made for all. After
 * a failure `target` is not whole.
 * @param hiddenTicks how many ticks at the beginning the initialisation hides
 * @throws {Error} when a fragment has another form than ffmpeg writes
 */
export async function writeFragments(
	target: string,
	{
		initialisation,
		timescale,
		hiddenTicks = 0,
	}: Pick<FragmentedFile, "initialisation" | "timescale"> & {
		readonly hiddenTicks?: number;
	},
	fragments: readonly Fragment[],
): Promise<void> {
	const output = await open(target, "w");
	try {
		const entries = fragments.flatMap(({ length, ticks }, n) => [
			...[length, n === 0 ? ticks - hiddenTicks : ticks],
			startsWithKeyFrame,
		]);
		const index = box("sidx", 1 << 24, 1, timescale, 0, 0, 0, 0, fragments.length, ...entries);
		await output.writeFile(Buffer.concat([initialisation, index]));
		let [number, ticks] = [0, 0];
		await writeInBatches(output, fragments, {
			lengthOf: ({ length }) => length,
			async read(fragment, bytes) {
				await fragment.read(bytes);
				number += 1;
				moveFragment(bytes, number, ticks);
				ticks += fragment.ticks;
			},
		});
	} finally {
		await output.close();
	}
}

const startsWithKeyFrame = 0x80000000;

/**
 * Gives a fragment its number and its time in the whole. The fragment tells the place of its media relative to itself,
 * so that stays.
 */
function moveFragment(bytes: Buffer, number: number, ticks: number): void {
	const moof = bytes.subarray(8, bytes.readUInt32BE(0));
	const [numbered, timed] = [findBox(moof, [{ type: "mfhd" }]), findBox(moof, [{ type: "traf" }, { type: "tfdt" }])];
	if (numbered === null || timed?.[0] !== 1) throw new Error("A fragment has another form than the one ffmpeg writes.");
	numbered.writeUInt32BE(number, 4);
	timed.writeBigUInt64BE(BigInt(ticks), 4);
}

/** Returns an initialisation that hides as many ticks at the beginning of its track. It needs an edit list already. */
export function hidingTicks(initialisation: Buffer, ticks: number): Buffer {
	const bytes = Buffer.from(initialisation);
	const moov = findBox(bytes, [{ type: "moov" }]);
	const edits = moov && findEditList(moov);
	if (edits === null) throw new Error("The track has no edit list.");
	edits.writeInt32BE(ticks, 12);
	return bytes;
}
