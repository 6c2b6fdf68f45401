/** Two bytes of CEA-608 with their parity bits. */
type Pair = readonly [number, number];

const withParity = (byte: number): number => {
	let ones = 0;
	for (let bit = 0; bit < 7; bit += 1) ones += (byte >> bit) & 1;
	return ones % 2 === 0 ? byte | 0x80 : byte;
};
/** A command, which is sent twice. */
const command = (second: number, first = 0x14): Pair[] => [
	[first, second],
	[first, second],
];
const lettersOf = (text: string): Pair[] =>
	Array.from({ length: Math.ceil(text.length / 2) }, (_, n) => [
		text.charCodeAt(2 * n),
		2 * n + 1 < text.length ? text.charCodeAt(2 * n + 1) : 0,
	]);

/** What the first field's channel sends, a pair with each picture. */
export const cea608 = {
	/** Rolls up two rows, the last of which is the fifteenth, and writes a line. */
	rollUp: (text: string): Pair[] => [...command(0x25), ...command(0x2d), ...command(0x70), ...lettersOf(text)],
	/** Writes lines out of sight, and shows them at once. */
	popOn: (...lines: readonly [string, string]): Pair[] => [
		...[...command(0x20), ...command(0x2e), ...command(0x50), ...lettersOf(lines[0])],
		...[...command(0x70), ...lettersOf(lines[1]), ...command(0x2f)],
	],
	erase: command(0x2c),
};

/** A unit of user data that carries a pair: ATSC A/53, part 4, table 6.7. */
const userData = ([first, second]: Pair): Buffer =>
	Buffer.from([...Buffer.from("GA94"), 0x03, 0xc1, 0xff, 0xfc, withParity(first), withParity(second), 0xff]);

/** SEI of H.264 that carries the pair: ITU-T T.35 of the United States and ATSC. */
function seiOf(pair: Pair): Buffer {
	const payload = Buffer.concat([Buffer.from([0xb5, 0x00, 0x31]), userData(pair)]);
	return Buffer.concat([Buffer.from([0, 0, 0, 1, 0x06, 0x04, payload.length]), payload, Buffer.from([0x80])]);
}

/** Splits a stream before each start code. */
function* unitsOf(stream: Buffer): Generator<Buffer> {
	let from = 0;
	for (let at = stream.indexOf("\0\0\u0001", 1); at >= 0; at = stream.indexOf("\0\0\u0001", at + 3)) {
		yield stream.subarray(from, at);
		from = at;
	}
	yield stream.subarray(from);
}

/**
 * Gives the pictures of an MPEG-2 stream pairs of captions, as {@link withCaptions} does. User data stands before the
 * first slice of a picture.
 */
export function withMpeg2Captions(stream: Buffer, sent: ReadonlyMap<number, readonly Pair[]>): Buffer {
	const units: Buffer[] = [];
	let [picture, queue, isWaiting] = [0, [] as Pair[], false];
	for (const unit of unitsOf(stream)) {
		if (unit[3] === 0x00) isWaiting = true;
		if (unit[3] === 0x01 && isWaiting) {
			queue.push(...(sent.get(picture) ?? []));
			units.push(Buffer.concat([Buffer.from([0, 0, 1, 0xb2]), userData(queue.shift() ?? [0, 0])]));
			[picture, isWaiting] = [picture + 1, false];
		}
		units.push(unit);
	}
	return Buffer.concat(units);
}

/**
 * Gives the pictures of an H.264 stream pairs of captions, from picture to picture in the order of the stream. A
 * picture is one slice.
 * @param sent the pairs that begin with the picture of each number
 */
export function withCaptions(stream: Buffer, sent: ReadonlyMap<number, readonly Pair[]>): Buffer {
	const units: Buffer[] = [];
	let [picture, queue] = [0, [] as Pair[]];
	for (const unit of unitsOf(stream)) {
		const type = (unit[3] ?? 0) & 0x1f;
		if (type === 1 || type === 5) {
			queue.push(...(sent.get(picture) ?? []));
			units.push(seiOf(queue.shift() ?? [0, 0]));
			picture += 1;
		}
		units.push(unit);
	}
	return Buffer.concat(units);
}
