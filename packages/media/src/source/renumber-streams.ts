import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Continuation } from "./continued-streams.ts";
import { createTableFilter } from "./transport-tables.ts";

const packetBytes = 188;
const syncByte = 0x47;
/** How far apart packets are: plain, with a time in front, and with a sum behind. */
const strides = [packetBytes, 192, 204];
/** How many packets in a row tell where packets are. */
const told = 5;
const pieceBytes = 1024 ** 2;
/** How far is looked ahead of a packet. */
const aheadBytes = told * Math.max(...strides);

/** Says whether packets begin here, as far as the bytes go. */
function beginsAt(bytes: Buffer, at: number, stride: number, packets = told): boolean {
	for (let n = 0; n < packets && at + n * stride < bytes.length; n += 1)
		if (bytes[at + n * stride] !== syncByte) return false;
	return true;
}

/** Finds the next packets from a place on, and how far apart they are. */
function findPackets(bytes: Buffer, from: number): { readonly at: number; readonly stride: number } | null {
	for (let at = bytes.indexOf(syncByte, from); at >= 0; at = bytes.indexOf(syncByte, at + 1)) {
		const stride = strides.find((one) => beginsAt(bytes, at, one));
		if (stride !== undefined) return { at, stride };
	}
	return null;
}

/** Says whether a packet lies here: another one follows, or two do behind a damaged one. */
const isPacket = (bytes: Buffer, at: number, stride: number): boolean =>
	bytes[at] === syncByte && (beginsAt(bytes, at, stride, 2) || beginsAt(bytes, at + 2 * stride, stride, 2));

/** Gives the numbers of packets of an MPEG-TS, and chooses among its tables. */
function createRenumbering(continuations: readonly Continuation[], tables: readonly number[]) {
	const numbers = new Map(continuations.map(({ from, to }) => [from, to]));
	const isKept = createTableFilter(tables, new Set(numbers.keys()));
	/** Returns the packet as it is written; `null` if it is left out. */
	return (packet: Buffer): Buffer | null => {
		const head = packet.readUInt16BE(1);
		const number = head & 0x1fff;
		if (!isKept(number, packet)) return null;
		const other = numbers.get(number);
		if (other === undefined) return packet;
		const renumbered = Buffer.from(packet);
		renumbered.writeUInt16BE((head & 0xe000) | other, 1);
		return renumbered;
	};
}

/**
 * Copies an MPEG-TS so that streams which go on under another number keep the one they began with. What is no packet is
 * left out.
 * @param tables the numbers of its tables (PMT) beside that of its list of programmes
 * @throws the signal's reason when aborted, and an error when a file can't be read or written
 */
export async function renumberStreams(
	source: string,
	target: string,
	{ continuations, tables }: { readonly continuations: readonly Continuation[]; readonly tables: readonly number[] },
	signal?: AbortSignal,
): Promise<void> {
	const renumber = createRenumbering(continuations, tables);
	let stride = packetBytes;
	/** Returns the packets of these bytes as they are written, and the bytes that are left for the next piece. */
	const take = (bytes: Buffer, least: number): { readonly packets: Buffer[]; readonly rest: Buffer } => {
		const packets: Buffer[] = [];
		let at = 0;
		while (at + least <= bytes.length) {
			if (!isPacket(bytes, at, stride)) {
				const next = findPackets(bytes, at);
				at = next?.at ?? bytes.length;
				stride = next?.stride ?? stride;
				if (at + least > bytes.length) break;
			}
			const packet = renumber(bytes.subarray(at, at + packetBytes));
			if (packet !== null) packets.push(packet);
			at += stride;
		}
		return { packets, rest: Buffer.from(bytes.subarray(at)) };
	};
	const rewrite = async function* (pieces: AsyncIterable<Buffer>) {
		let left: Buffer = Buffer.alloc(0);
		for await (const piece of pieces) {
			const { packets, rest } = take(Buffer.concat([left, piece]), aheadBytes);
			left = rest;
			yield Buffer.concat(packets);
		}
		yield Buffer.concat(take(left, packetBytes).packets);
	};
	const reading = createReadStream(source, { highWaterMark: pieceBytes });
	await pipeline(reading, rewrite, createWriteStream(target), { signal });
}
