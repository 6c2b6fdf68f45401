import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Continuation } from "./continued-streams.ts";

const packetBytes = 188;
const syncByte = 0x47;
/** How far apart packets are: plain, with a time in front, and with a sum behind. */
const strides = [packetBytes, 192, 204];
/** How many packets in a row tell where packets are. */
const told = 5;
const pieceBytes = 1024 ** 2;

/** Says whether packets begin here, as far as the bytes go. */
function beginsAt(bytes: Buffer, at: number, stride: number): boolean {
	for (let n = 0; n < told && at + n * stride < bytes.length; n += 1)
		if (bytes[at + n * stride] !== syncByte) return false;
	return true;
}

/** Says how far apart the packets are, by the beginning of the file. */
function strideOf(bytes: Buffer): number {
	const [found] = strides
		.map((stride) => ({ stride, at: bytes.findIndex((_, at) => beginsAt(bytes, at, stride)) }))
		.filter(({ at }) => at >= 0)
		.sort((one, other) => one.at - other.at);
	return found?.stride ?? packetBytes;
}

/** Gives the numbers of packets of an MPEG-TS. Tables (PAT, PMT) stay once each, as they are at first. */
function createRenumbering(continuations: readonly Continuation[], tables: ReadonlySet<number>) {
	const numbers = new Map(continuations.map(({ from, to }) => [from, to]));
	const begun = new Map<number, number>();
	/** Returns the packet as it is written; `null` if it is left out. */
	return (packet: Buffer): Buffer | null => {
		const [head = 0, low = 0] = packet.subarray(1);
		const number = ((head & 0x1f) << 8) | low;
		if (tables.has(number)) {
			const times = (begun.get(number) ?? 0) + ((head & 0x40) >> 6);
			begun.set(number, times);
			return times > 1 ? null : packet;
		}
		const other = numbers.get(number);
		if (other === undefined) return packet;
		const renumbered = Buffer.from(packet);
		renumbered.writeUInt16BE(((head & 0xe0) << 8) | other, 1);
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
	const renumber = createRenumbering(continuations, new Set([0, ...tables]));
	const rewrite = async function* (pieces: AsyncIterable<Buffer>) {
		let rest = Buffer.alloc(0);
		let stride = 0;
		for await (const piece of pieces) {
			const bytes = Buffer.concat([rest, piece]);
			stride ||= strideOf(bytes.subarray(0, 65_536));
			const packets: Buffer[] = [];
			let at = 0;
			while (at + stride <= bytes.length) {
				if (!beginsAt(bytes.subarray(at, at + 2 * stride), 0, stride)) {
					at += 1;
					continue;
				}
				const packet = renumber(bytes.subarray(at, at + packetBytes));
				if (packet !== null) packets.push(packet);
				at += stride;
			}
			rest = Buffer.from(bytes.subarray(at));
			yield Buffer.concat(packets);
		}
		if (rest.length >= packetBytes && rest[0] === syncByte)
			yield renumber(rest.subarray(0, packetBytes)) ?? Buffer.alloc(0);
	};
	const reading = createReadStream(source, { highWaterMark: pieceBytes });
	await pipeline(reading, rewrite, createWriteStream(target), { signal });
}
