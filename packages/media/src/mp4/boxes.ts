import type { FileHandle } from "node:fs/promises";

/** One ISO base media box: its type, its place in the file, and its length with the header. */
export type Box = { readonly type: string; readonly offset: number; readonly length: number };

/**
 * Lists the boxes at the top of a file in order, without reading their contents.
 * @param last the type of the last box that is listed (default: all boxes are)
 * @throws {Error} when a box is longer than the file
 */
export async function topLevelBoxes(file: FileHandle, size: number, last?: string): Promise<Box[]> {
	const boxes: Box[] = [];
	const header = Buffer.alloc(16);
	for (let offset = 0; offset + 8 <= size && (boxes.length === 0 || boxes.at(-1)?.type !== last); ) {
		await file.read(header, 0, 16, offset);
		const short = header.readUInt32BE(0);
		const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - offset : short;
		if (length < 8 || offset + length > size)
			throw new Error(`The box at ${offset} is ${length} bytes long, which the file does not hold.`);
		boxes.push({ type: header.toString("latin1", 4, 8), offset, length });
		offset += length;
	}
	return boxes;
}

/** Lists the boxes in a body, each with its header. */
export function childBoxes(body: Buffer): { readonly type: string; readonly bytes: Buffer }[] {
	const boxes: { type: string; bytes: Buffer }[] = [];
	for (let at = 0; at + 8 <= body.length; ) {
		const length = Math.max(8, body.readUInt32BE(at));
		boxes.push({ type: body.toString("latin1", at + 4, at + 8), bytes: body.subarray(at, at + length) });
		at += length;
	}
	return boxes;
}

/**
 * Follows a path of types, each time into the first box of the type, and returns the body of the last box; `null` if a
 * box is missing. `skip` is the number of bytes between a box's header and its children.
 */
export function findBox(
	bytes: Buffer,
	path: readonly { readonly type: string; readonly skip?: number }[],
): Buffer | null {
	let body = bytes;
	for (const [depth, { type }] of path.entries()) {
		let rest = body.subarray(depth === 0 ? 0 : (path[depth - 1]?.skip ?? 0));
		let found: Buffer | null = null;
		while (found === null && rest.length >= 8) {
			const length = rest.readUInt32BE(0);
			if (length < 8 || length > rest.length) return null;
			if (rest.toString("latin1", 4, 8) === type) found = rest.subarray(8, length);
			rest = rest.subarray(length);
		}
		if (found === null) return null;
		body = found;
	}
	return body;
}

const editList = [{ type: "trak" }, { type: "edts" }, { type: "elst" }];

/** Returns the body of the edit list of a moov's first track, which is a part of `moov`; `null` if there is none. */
export const findEditList = (moov: Buffer): Buffer | null => findBox(moov, editList);

/** Returns how many ticks at the beginning of a moov's first track an edit list hides. */
export const hiddenTicksOf = (moov: Buffer): number => findEditList(moov)?.readInt32BE(12) ?? 0;

export type IndexEntry = { readonly length: number; readonly duration: number };
export type SegmentIndex = {
	readonly timescale: number;
	readonly earliest: number;
	readonly firstOffset: number;
	readonly entries: readonly IndexEntry[];
};

/** Reads the body of a `sidx` box. Durations are in its timescale. `firstOffset` counts from the end of the box. */
export function parseSegmentIndex(body: Buffer): SegmentIndex {
	const wide = body[0] !== 0;
	const timescale = body.readUInt32BE(8);
	const earliest = wide ? Number(body.readBigUInt64BE(12)) : body.readUInt32BE(12);
	const firstOffset = wide ? Number(body.readBigUInt64BE(20)) : body.readUInt32BE(16);
	const start = wide ? 28 : 20;
	const count = body.readUInt16BE(start + 2);
	const entries = Array.from({ length: count }, (_, n) => {
		const at = start + 4 + n * 12;
		return { length: body.readUInt32BE(at) & 0x7fffffff, duration: body.readUInt32BE(at + 4) };
	});
	return { timescale, earliest, firstOffset, entries };
}
