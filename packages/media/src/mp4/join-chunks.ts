import { type FileHandle, open } from "node:fs/promises";
import { type Box, parseSegmentIndex, topLevelBoxes } from "./boxes.ts";

/** An encoded chunk, and the time at which it begins in the whole, in ticks of the track. */
export type ChunkFile = { readonly path: string; readonly startTicks: number };

type OpenChunk = { readonly file: FileHandle; readonly boxes: readonly Box[]; readonly startTicks: number };

/**
 * Joins the CMAF files of chunks of the same settings into one file, without an encode. It copies the fragments, moves
 * their times, continues their numbers and writes one index for all. After a failure `target` is not whole.
 * @throws {Error} when the chunks need decoders that are set up differently, or a file is no such chunk
 */
export async function joinChunks(chunks: readonly ChunkFile[], target: string): Promise<void> {
	const files: FileHandle[] = [];
	const opened: OpenChunk[] = [];
	const output = await open(target, "w");
	files.push(output);
	try {
		for (const { path, startTicks } of chunks) {
			const file = await open(path);
			files.push(file);
			opened.push({ file, boxes: await topLevelBoxes(file, (await file.stat()).size), startTicks });
		}
		await output.writeFile(await joinedHead(opened));
		let number = 1;
		for (const { file, boxes, startTicks } of opened) {
			for (const box of boxes.filter(({ type }) => type === "moof" || type === "mdat")) {
				const bytes = await readBox(file, box);
				if (box.type === "moof") moveFragment(bytes, number++, startTicks);
				await output.writeFile(bytes);
			}
		}
	} finally {
		for (const file of files) await file.close();
	}
}

async function readBox(file: FileHandle, { offset, length }: Box): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	await file.read(bytes, 0, length, offset);
	return bytes;
}

const only = (boxes: readonly Box[], type: string): Box => {
	const found = boxes.find((box) => box.type === type);
	if (found === undefined) throw new Error(`A chunk has no ${type} box.`);
	return found;
};

/** Makes what comes before the fragments: the initialisation that all chunks share, and an index of all fragments. */
async function joinedHead(chunks: readonly OpenChunk[]): Promise<Buffer> {
	const initialisations: Buffer[] = [];
	const indexes: Buffer[] = [];
	for (const { file, boxes } of chunks) {
		initialisations.push(
			Buffer.concat([await readBox(file, only(boxes, "ftyp")), await readBox(file, only(boxes, "moov"))]),
		);
		indexes.push(await readBox(file, only(boxes, "sidx")));
	}
	const [initialisation, ...others] = initialisations as [Buffer, ...Buffer[]];
	if (others.some((other) => !other.equals(initialisation)))
		throw new Error("The chunks' encoders set their decoders up differently.");
	return Buffer.concat([initialisation, joinedIndex(indexes)]);
}

/** The length of a `sidx` box of version 1 up to its entries, with its header. */
const indexHead = 40;

function joinedIndex(indexes: readonly Buffer[]): Buffer {
	const entries = indexes.map((index) => {
		if (index[8] !== 1) throw new Error("A chunk's index has another form than the one ffmpeg writes.");
		return index.subarray(indexHead, indexHead + parseSegmentIndex(index.subarray(8)).entries.length * 12);
	});
	const head = Buffer.from((indexes[0] as Buffer).subarray(0, indexHead));
	const joined = Buffer.concat([head, ...entries]);
	joined.writeUInt32BE(joined.length, 0);
	joined.writeBigUInt64BE(0n, 28);
	joined.writeUInt16BE((joined.length - indexHead) / 12, 38);
	return joined;
}

/**
 * Gives a fragment its number and its time in the whole. The fragment tells the place of its media relative to itself,
 * so that stays.
 */
function moveFragment(moof: Buffer, number: number, ticks: number): void {
	eachBox(moof, 8, moof.length, (type, body) => {
		if (type === "mfhd") moof.writeUInt32BE(number, body + 4);
		if (type !== "traf") return;
		eachBox(moof, body, body - 8 + moof.readUInt32BE(body - 8), (inner, at) => {
			if (inner !== "tfdt") return;
			if (moof[at] !== 1) throw new Error("A chunk's fragment has another form than the one ffmpeg writes.");
			moof.writeBigUInt64BE(moof.readBigUInt64BE(at + 4) + BigInt(ticks), at + 4);
		});
	});
}

/** Visits the boxes from `start` to `end`. `body` is the place at which a box's body begins. */
function eachBox(bytes: Buffer, start: number, end: number, visit: (type: string, body: number) => void): void {
	for (let at = start; at + 8 <= end; at += Math.max(8, bytes.readUInt32BE(at)))
		visit(bytes.toString("latin1", at + 4, at + 8), at + 8);
}
