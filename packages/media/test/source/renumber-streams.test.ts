import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { renumberStreams } from "../../src/source/renumber-streams.ts";
import { crcOf } from "../support/kinds-of-sources.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-numbers-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A packet of a stream. Those that begin a unit have the flag of it. */
const packet = (number: number, content: number, begins = false): Buffer =>
	Buffer.from([0x47, (begins ? 0x40 : 0) | (number >> 8), number & 0xff, 0x10, ...Array<number>(184).fill(content)]);
const [list, table, picture, sound] = [0, 0x1000, 0x100, 0x101];

/** A packet with a table that names streams. It is filled up with a number. */
function tablePacket(number: number, streams: readonly number[], content: number, of = { version: 0, programme: 1 }) {
	const named = streams.flatMap((stream) => [0x1b, 0xe0 | (stream >> 8), stream & 0xff, 0xf0, 0]);
	const head = [0, of.programme, 0xc1 | (of.version << 1), 0, 0, 0xe1, 0, 0xf0, 0];
	const section = Buffer.from([number === list ? 0 : 2, 0xb0, head.length + named.length + 4, ...head, ...named]);
	const bytes = packet(number, content, true);
	bytes[4] = 0;
	section.copy(bytes, 5);
	bytes.writeUInt32BE(crcOf(section), 5 + section.length);
	return bytes;
}
const packets = [
	...[tablePacket(list, [], 1), tablePacket(table, [picture, sound], 1), packet(table, 2)],
	...[packet(picture, 3, true), packet(sound, 4)],
	...[tablePacket(list, [], 5), tablePacket(table, [0x200, 0x201], 5), packet(table, 6)],
	...[packet(0x200, 7, true), packet(0x201, 8)],
];

/** The numbers and contents of the packets that are written. */
async function written(bytes: Buffer): Promise<[number, number, boolean][]> {
	const [source, target] = [join(folder, "source.ts"), join(folder, "target.ts")];
	await writeFile(source, bytes);
	const continuations = [
		{ from: 0x200, to: picture },
		{ from: 0x201, to: sound },
	];
	await renumberStreams(source, target, { continuations, tables: [table] });
	const copy = await readFile(target);
	expect(copy.length % 188).toBe(0);
	return Array.from({ length: copy.length / 188 }, (_, n) => {
		const one = copy.subarray(n * 188, (n + 1) * 188);
		expect(one[0]).toBe(0x47);
		return [one.readUInt16BE(1) & 0x1fff, one[187] as number, ((one[1] as number) & 0x40) !== 0];
	});
}
const expected = [
	...[[list, 1, true] as const, [table, 1, true] as const, [table, 2, false] as const],
	...[[picture, 3, true] as const, [sound, 4, false] as const],
	...[[picture, 7, true] as const, [sound, 8, false] as const],
];

it("gives streams the numbers they began with, and keeps the first tables alone", async () => {
	expect(await written(Buffer.concat(packets))).toEqual(expected);
});

it("finds packets of 192 and of 204 bytes", async () => {
	const timed = packets.map((one) => Buffer.concat([Buffer.alloc(4), one]));
	expect(await written(Buffer.concat(timed))).toEqual(expected);
	const summed = packets.map((one) => Buffer.concat([one, Buffer.alloc(16)]));
	expect(await written(Buffer.concat(summed))).toEqual(expected);
});

it("leaves out what is no packet: the end of a recording that was cut off, and what is zeroed", async () => {
	const cut = [...packets.slice(0, 5), packet(sound, 9).subarray(0, 77), Buffer.alloc(300), ...packets.slice(5)];
	expect(await written(Buffer.concat(cut))).toEqual(expected);
	expect(await written(Buffer.from("no packet at all"))).toEqual([]);
});

it("reads a large file piece by piece", async () => {
	const many = Array.from({ length: 20_000 }, (_, n) => packet(n % 2 === 0 ? 0x200 : 0x300, n % 256));
	const copied = await written(Buffer.concat(many));
	expect(copied).toHaveLength(20_000);
	expect(copied.at(-2)).toEqual([picture, 19_998 % 256, false]);
	expect(copied.at(-1)).toEqual([0x300, 19_999 % 256, false]);
});

it("writes each table that comes later, too: of a version with a further sound, and of another programme", async () => {
	const gains = tablePacket(table, [picture, sound, 0x102], 9, { version: 1, programme: 1 });
	const other = tablePacket(table, [0x300], 10, { version: 0, programme: 2 });
	const next = tablePacket(table, [0x200, 0x201], 11, { version: 2, programme: 1 });
	const later = [gains, packet(table, 9), gains, other, other, next, packet(table, 11)];
	expect(await written(Buffer.concat([...packets, ...later]))).toEqual([
		...expected,
		...[[table, 9, true] as const, [table, 9, false] as const, [table, 10, true] as const],
	]);
});

it("writes a thousand tables, and no more of a file that has ever further ones", async () => {
	const many = Array.from({ length: 1100 }, (_, n) =>
		tablePacket(table, [0x300], 1, { version: n % 32, programme: Math.floor(n / 32) }),
	);
	expect(await written(Buffer.concat(many))).toHaveLength(1000);
});

it("leaves out a table that is damaged, and waits for a whole one", async () => {
	const damaged = tablePacket(table, [picture, sound], 12);
	damaged[20] = (damaged[20] as number) ^ 1;
	expect(await written(Buffer.concat([damaged, ...packets]))).toEqual(expected);
});

it("goes on where a recording of other packets follows, and where one packet is damaged", async () => {
	const timed = packets.slice(5).map((one) => Buffer.concat([Buffer.alloc(4), one]));
	expect(await written(Buffer.concat([...packets.slice(0, 5), ...timed]))).toEqual(expected);
	const damaged = packet(sound, 13);
	damaged[0] = 0;
	const inside = [...packets.slice(0, 5), damaged, ...packets.slice(5)];
	expect(await written(Buffer.concat(inside))).toEqual(expected);
});
