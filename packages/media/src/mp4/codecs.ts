const hex = (byte: number | undefined): string => (byte ?? 0).toString(16).padStart(2, "0").toUpperCase();
const two = (value: number): string => String(value).padStart(2, "0");

/** Returns the RFC 6381 string of an `avcC` box: profile, constraints and level. */
export const h264Codec = (avcC: Buffer): string => `avc1.${hex(avcC[1])}${hex(avcC[2])}${hex(avcC[3])}`;

/**
 * Returns the codec string of an `av1C` box: profile, level with tier, bit depth. The rest may be left out, since all
 * that is encoded here has the defaults (4:2:0, BT.709, limited range).
 */
export function av1Codec(av1C: Buffer): string {
	const [, profileAndLevel = 0, flags = 0] = av1C;
	const profile = profileAndLevel >> 5;
	const highDepth = (flags & 0x40) !== 0;
	const depth = highDepth ? (profile === 2 && (flags & 0x20) !== 0 ? 12 : 10) : 8;
	return `av01.${profile}.${two(profileAndLevel & 0x1f)}${(flags & 0x80) === 0 ? "M" : "H"}.${two(depth)}`;
}

/** Reads a descriptor of `esds`, whose length has seven bits in each byte. */
function descriptor(bytes: Buffer): { tag: number; body: Buffer } {
	let at = 1;
	let length = 0;
	for (let more = true; more; at += 1) {
		const byte = bytes[at] ?? 0;
		length = (length << 7) | (byte & 0x7f);
		more = (byte & 0x80) !== 0;
	}
	return { tag: bytes[0] ?? 0, body: bytes.subarray(at, at + length) };
}

/** Reads the body of an `esds` box: the kind of the stream, and how its decoder is set up. */
function aacDecoder(esds: Buffer): { kind: number; specific: Buffer } {
	const stream = descriptor(esds.subarray(4));
	const flags = stream.body[2] ?? 0;
	if (stream.tag !== 3 || (flags & 0xe0) !== 0)
		throw new Error("The sound's esds box has another form than the one ffmpeg writes.");
	const decoder = descriptor(stream.body.subarray(3));
	return { kind: decoder.body[0] ?? 0, specific: descriptor(decoder.body.subarray(13)).body };
}

/**
 * Returns the codec string of the body of an `esds` box, such as `mp4a.40.2`.
 * @throws {Error} when the box has another form than ffmpeg writes
 */
export function aacCodec(esds: Buffer): string {
	const { kind, specific } = aacDecoder(esds);
	const [first = 0, second = 0] = specific;
	const objectType = first >> 3 === 31 ? 32 + (((first & 7) << 3) | (second >> 5)) : first >> 3;
	return `mp4a.${kind.toString(16)}.${objectType}`;
}

/**
 * Returns the number of channels in the body of an `esds` box: 1, 2 or 6. What the sample description says beside it is
 * always 2.
 * @throws {Error} when the box has another form than ffmpeg writes
 */
export const aacChannels = (esds: Buffer): number => ((aacDecoder(esds).specific[1] ?? 0) >> 3) & 0x0f;
