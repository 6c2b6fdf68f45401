const hex = (byte: number | undefined): string => (byte ?? 0).toString(16).padStart(2, "0").toUpperCase();
const two = (value: number): string => String(value).padStart(2, "0");

/** RFC 6381 string of an `avcC` box: profile, constraints and level, as the decoder will see them. */
export const h264Codec = (avcC: Buffer): string => `avc1.${hex(avcC[1])}${hex(avcC[2])}${hex(avcC[3])}`;

/**
 * The AV1 string of an `av1C` box: profile, level with tier, bit depth. The rest of it stands at its defaults (4:2:0,
 * BT.709, limited range) in all that is encoded here.
 */
export function av1Codec(av1C: Buffer): string {
	const [, profileAndLevel = 0, flags = 0] = av1C;
	const profile = profileAndLevel >> 5;
	const highDepth = (flags & 0x40) !== 0;
	const depth = highDepth ? (profile === 2 && (flags & 0x20) !== 0 ? 12 : 10) : 8;
	return `av01.${profile}.${two(profileAndLevel & 0x1f)}${(flags & 0x80) === 0 ? "M" : "H"}.${two(depth)}`;
}

/** Descriptor lengths in `esds` have seven bits a byte. */
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

/** `mp4a.40.2` and the like, of the body of an `esds` box. */
export function aacCodec(esds: Buffer): string {
	const stream = descriptor(esds.subarray(4));
	const flags = stream.body[2] ?? 0;
	if (stream.tag !== 3 || (flags & 0xe0) !== 0)
		throw new Error("The sound's esds box has another form than the one ffmpeg writes.");
	const decoder = descriptor(stream.body.subarray(3));
	const specific = descriptor(decoder.body.subarray(13));
	const [first = 0, second = 0] = specific.body;
	const objectType = first >> 3 === 31 ? 32 + (((first & 7) << 3) | (second >> 5)) : first >> 3;
	return `mp4a.${(decoder.body[0] ?? 0).toString(16)}.${objectType}`;
}
