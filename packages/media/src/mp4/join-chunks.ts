import { type FileHandle, open } from "node:fs/promises";
import { type Box, parseSegmentIndex, topLevelBoxes } from "./boxes.ts";

/** One encoded chunk, and the time at which it begins in the whole, in the track's ticks. */
export type ChunkFile = { readonly path: string; readonly startTicks: number };

type OpenChunk = { readonly file: FileHandle; readonly boxes: readonly Box[]; readonly startTicks: number };

/**
 * Joins the CMAF files of chunks that were encoded with the same settings into one, without an encode: fragments are
 * copied, with their times moved and their numbers counted on, behind one index for all. Throws an Error where the
 * chunks' decoders would be set up differently, or one is no such file; `target` is then not whole.
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

/** What stands before the fragments: the initialisation that all chunks have, and an index of all their fragments. */
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

/** The length of a `sidx` box of version 1 before its entries, header included. */
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
 * Gives a fragment its number and its time in the whole. Where its media lies is told from its own beginning, and
 * stays.
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

/** Visits the boxes that stand one behind the other from `start` to `end`, each by where its body begins. */
function eachBox(bytes: Buffer, start: number, end: number, visit: (type: string, body: number) => void): void {
	for (let at = start; at + 8 <= end; at += Math.max(8, bytes.readUInt32BE(at)))
		visit(bytes.toString("latin1", at + 4, at + 8), at + 8);
}
