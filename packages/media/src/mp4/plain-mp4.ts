import { open } from "node:fs/promises";
import { childBoxes, findBox, topLevelBoxes } from "./boxes.ts";
import { box, type FragmentedFile, openFragments, readMedia, type Sample, writeInBatches } from "./fragments.ts";

/** The timescale of a whole file's lengths. */
const movieTimescale = 1000;
/** Offsets beyond this need eight bytes. */
const shortOffsets = 2 ** 32;

/** A track on its way into one file: its samples, by fragments, and where each fragment's bytes come to lie. */
type Carried = { readonly file: FragmentedFile; readonly groups: Sample[][]; readonly offsets: number[] };

const bytesOf = (samples: readonly Sample[]): number => samples.reduce((sum, { size }) => sum + size, 0);

/**
 * Writes finished tracks into one plain MP4 with its index in front, without an encode. The sound follows the pictures
 * by fragments, so that a player needs little ahead. What an edit list hides of the sound stays hidden.
 * @param paths those of a track of pictures and, if there is sound, of one track of it
 * @throws {Error} when a file has another form than ffmpeg writes
 */
export async function writePlainMp4(paths: readonly string[], target: string): Promise<void> {
	const tracks: Carried[] = [];
	try {
		for (const path of paths) {
			const file = await openFragments(path);
			const track: Carried = { file, groups: [], offsets: [] };
			tracks.push(track);
			for (const fragment of file.fragments) track.groups.push(await file.samples(fragment));
		}
		const chunks = inOrder(tracks);
		const media = chunks.reduce((sum, { samples }) => sum + bytesOf(samples), 0);
		const ftyp = box("ftyp", Buffer.from("isom\0\0\x02\0isomiso2avc1mp41", "latin1"));
		const wide = media + 2 ** 27 > shortOffsets;
		const index = movie(tracks, wide);
		let at = ftyp.length + index.length + (wide ? 16 : 8);
		for (const { track, samples } of chunks) {
			track.offsets.push(at);
			at += bytesOf(samples);
		}
		placeChunks(index, tracks, wide);
		const output = await open(target, "w");
		try {
			await output.writeFile(Buffer.concat([ftyp, index, mediaHead(media, wide)]));
			await writeInBatches(output, chunks, {
				lengthOf: ({ samples }) => bytesOf(samples),
				read: ({ samples }, bytes) => readMedia(samples, bytes),
			});
		} finally {
			await output.close();
		}
	} finally {
		for (const { file } of tracks) await file.close();
	}
}

/**
 * Reads how many seconds the samples of each track of a plain MP4 last.
 * @throws {Error} when it has no index
 */
export async function plainLengths(path: string): Promise<number[]> {
	const file = await open(path);
	try {
		const index = (await topLevelBoxes(file, (await file.stat()).size, "moov")).find(({ type }) => type === "moov");
		if (index === undefined) throw new Error(`${path} has no moov box.`);
		const bytes = Buffer.alloc(index.length - 8);
		await file.read(bytes, 0, bytes.length, index.offset + 8);
		return childBoxes(bytes)
			.filter(({ type }) => type === "trak")
			.map(({ bytes }) => {
				const header = findBox(bytes, [{ type: "trak" }, { type: "mdia" }, { type: "mdhd" }]);
				if (header === null) throw new Error(`A track of ${path} has no mdhd box.`);
				return header[0] === 1
					? Number(header.readBigUInt64BE(24)) / header.readUInt32BE(20)
					: header.readUInt32BE(16) / header.readUInt32BE(12);
			});
	} finally {
		await file.close();
	}
}

function mediaHead(length: number, wide: boolean): Buffer {
	const head = Buffer.alloc(wide ? 16 : 8);
	head.writeUInt32BE(wide ? 1 : length + 8);
	head.write("mdat", 4, "latin1");
	if (wide) head.writeBigUInt64BE(BigInt(length + 16), 8);
	return head;
}

/** Lists the fragments of all tracks in the order of their times. */
function inOrder(tracks: readonly Carried[]): { readonly track: Carried; readonly samples: readonly Sample[] }[] {
	const chunks = tracks.flatMap((track) =>
		track.groups.map((samples, n) => ({
			...{ track, samples },
			seconds: (track.file.fragments[n]?.startTicks ?? 0) / track.file.timescale,
		})),
	);
	return chunks.sort((a, b) => a.seconds - b.seconds);
}

/** Says in an index where the chunks are. Its own length decides over that, so it is made with zeros first. */
function placeChunks(index: Buffer, tracks: readonly Carried[], wide: boolean): void {
	const path = ["trak", "mdia", "minf", "stbl", wide ? "co64" : "stco"].map((type) => ({ type }));
	const boxes = childBoxes(index.subarray(8)).filter(({ type }) => type === "trak");
	for (const [n, { offsets }] of tracks.entries()) {
		const places = findBox((boxes[n] as (typeof boxes)[number]).bytes, path) as Buffer;
		for (const [chunk, at] of offsets.entries())
			if (wide) places.writeBigUInt64BE(BigInt(at), 8 + chunk * 8);
			else places.writeUInt32BE(at, 8 + chunk * 4);
	}
}

/** Returns the index of the whole, with zeros for the places of its chunks. */
function movie(tracks: readonly Carried[], wide: boolean): Buffer {
	const made = tracks.map((track, n) => trackBox(track, n + 1, wide));
	const header = inInitialisation(tracks[0] as Carried, "mvhd");
	header.writeUInt32BE(movieTimescale, 20);
	header.writeUInt32BE(Math.max(...made.map(({ length }) => length)), 24);
	header.writeUInt32BE(tracks.length + 1, header.length - 4);
	return box("moov", header, ...made.map(({ bytes }) => bytes));
}

/** Returns a copy of a box of the initialisation, of the whole file or of its track. */
function inInitialisation({ file }: Carried, ...path: string[]): Buffer {
	const last = path.at(-1) as string;
	const parent = findBox(file.initialisation, [{ type: "moov" }, ...path.slice(0, -1).map((type) => ({ type }))]);
	const found = parent && childBoxes(parent).find(({ type }) => type === last);
	if (!found) throw new Error(`A track has no ${last} box.`);
	return Buffer.from(found.bytes);
}

function trackBox(track: Carried, id: number, wide: boolean): { readonly bytes: Buffer; readonly length: number } {
	const { file, groups } = track;
	const information = ["trak", "mdia", "minf"];
	const inMinf = findBox(file.initialisation, [{ type: "moov" }, ...information.map((type) => ({ type }))]) as Buffer;
	const isSound = findBox(inMinf, [{ type: "smhd" }]) !== null;
	const samples = isSound ? wholePackets(groups.flat()) : groups.flat();
	const ticks = samples.reduce((sum, one) => sum + one.ticks, 0);
	const length = Math.round(((ticks - file.hiddenTicks) * movieTimescale) / file.timescale);
	// Without this, a picture that is shown earlier than it is decoded would have a negative number.
	const later = Math.max(0, -samples.reduce((least, { composition }) => Math.min(least, composition), 0));
	const header = inInitialisation(track, "trak", "tkhd");
	header.writeUInt32BE(id, 20);
	header.writeUInt32BE(length, 28);
	const mediaHeader = inInitialisation(track, "trak", "mdia", "mdhd");
	mediaHeader.writeUInt32BE(ticks, 24);
	const others = childBoxes(inMinf).flatMap(({ type, bytes }) => (type === "stbl" ? [] : [bytes]));
	const table = box(
		"stbl",
		inInitialisation(track, ...information, "stbl", "stsd"),
		...tables(track, samples, { later, isSound, wide }),
	);
	const media = box(
		"mdia",
		mediaHeader,
		inInitialisation(track, "trak", "mdia", "hdlr"),
		box("minf", ...others, table),
	);
	const edits = box("edts", box("elst", 0, 1, length, file.hiddenTicks + later, 0x10000));
	return { bytes: box("trak", header, edits, media), length };
}

/**
 * Gives the last packet of a sound its whole length. A track lists it as shorter; what is appended to the file begins
 * behind the whole packet.
 */
const wholePackets = (samples: readonly Sample[]): readonly Sample[] =>
	samples.with(-1, { ...(samples.at(-1) as Sample), ticks: samples[0]?.ticks ?? 0 });

/** Returns runs of equal values: how many, and which. */
function runs(values: Iterable<number>): number[] {
	const found: number[] = [];
	for (const value of values) {
		if (found.length > 0 && found.at(-1) === value) found[found.length - 2] = (found.at(-2) as number) + 1;
		else found.push(1, value);
	}
	return found;
}

const words = (values: readonly number[]): Buffer => {
	const bytes = Buffer.alloc(values.length * 4);
	for (const [n, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, n * 4);
	return bytes;
};

/** The flag of a sample that needs others to be decoded. */
const needsOthers = 0x10000;

/** The samples of an AAC stream need the one before them: ISO/IEC 14496-12, section 10.1. */
const rolls = (count: number): Buffer[] => [
	box("sgpd", 1 << 24, Buffer.from("roll"), 2, 1, Buffer.from([0xff, 0xff])),
	box("sbgp", 0, Buffer.from("roll"), 1, count, 1),
];

function tables(
	{ groups }: Carried,
	samples: readonly Sample[],
	{ later, isSound, wide }: { readonly later: number; readonly isSound: boolean; readonly wide: boolean },
): Buffer[] {
	const keys = samples.flatMap(({ flags }, n) => ((flags & needsOthers) === 0 ? [n + 1] : []));
	const times = runs(samples.map(({ ticks }) => ticks));
	const shown = runs(samples.map(({ composition }) => composition + later));
	const sizes = groups.map(({ length }) => length);
	const inChunks = sizes.flatMap((size, n) => (n > 0 && size === sizes[n - 1] ? [] : [n + 1, size, 1]));
	return [
		box("stts", 0, times.length / 2, words(times)),
		...(keys.length === samples.length ? [] : [box("stss", 0, keys.length, words(keys))]),
		...(isSound ? [] : [box("ctts", 0, shown.length / 2, words(shown))]),
		box("stsc", 0, inChunks.length / 3, words(inChunks)),
		box("stsz", 0, 0, samples.length, words(samples.map(({ size }) => size))),
		box(wide ? "co64" : "stco", 0, groups.length, Buffer.alloc(groups.length * (wide ? 8 : 4))),
		...(isSound ? rolls(samples.length) : []),
	];
}
