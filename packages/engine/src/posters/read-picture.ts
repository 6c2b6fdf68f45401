import { limits, ReelmillError } from "@reelmill/contracts";

/** A picture as its first bytes describe it. */
export type PictureHeader = {
	readonly contentType: "image/jpeg" | "image/png" | "image/webp";
	readonly width: number;
	readonly height: number;
};

/** Encoders of JPEG and WebP make none with a longer side. */
const longestSide = 65_535;

/**
 * Reads what a JPEG, PNG or WebP file says of its picture, which isn't decoded.
 *
 * @throws {ReelmillError} `validation_error`, whose message names what is wrong, for any other file, for one that breaks
 * off before its end, for a moving WebP, and for a picture with too many pixels.
 */
export function readPicture(bytes: Uint8Array): PictureHeader {
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const header = readJpeg(file) ?? readPng(file) ?? readWebP(file);
	if (header === null) throw refused("it is neither a JPEG, nor a PNG, nor a WebP file, by its first bytes");
	const { width, height } = header;
	const said = `${width} x ${height} pixels`;
	if (width < 1 || height < 1 || width > longestSide || height > longestSide) throw refused(`it can't have ${said}`);
	if (width * height > limits.picturePixels)
		throw refused(`it has ${said}, and may have ${limits.picturePixels} in all`);
	return header;
}

/** In a picture's data, no 0xff stands before 0xd9. */
const jpegEnd = Buffer.from("ffd9", "hex");

function readJpeg(file: Buffer): PictureHeader | null {
	if (file.length < 3 || file.readUIntBE(0, 3) !== 0xffd8ff) return null;
	for (let at = 2; at + 9 <= file.length; ) {
		if (file[at] !== 0xff) break;
		const marker = file[at + 1] as number;
		// Bytes that fill the room before a marker.
		if (marker === 0xff) {
			at += 1;
			continue;
		}
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) {
			if (!file.includes(jpegEnd, at)) throw refused("it is a JPEG file that breaks off");
			return { contentType: "image/jpeg", width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
		}
		// The picture's data begins, or it ends.
		if (marker === 0xda || marker === 0xd9) break;
		at += 2 + file.readUInt16BE(at + 2);
	}
	throw refused("it is a JPEG file that breaks off before it says how large its picture is");
}

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

function readPng(file: Buffer): PictureHeader | null {
	if (!file.subarray(0, 8).equals(pngSignature)) return null;
	if (file.length < 24 || file.toString("latin1", 12, 16) !== "IHDR")
		throw refused("it is a PNG file that breaks off before it says how large its picture is");
	let at = pngSignature.length;
	while (at + 12 <= file.length && file.toString("latin1", at + 4, at + 8) !== "IEND") at += 12 + file.readUInt32BE(at);
	if (at + 12 > file.length) throw refused("it is a PNG file that breaks off");
	return { contentType: "image/png", width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

function readWebP(file: Buffer): PictureHeader | null {
	if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WEBP") return null;
	if (file.length < 30) throw refused("it is a WebP file that breaks off before it says how large its picture is");
	// The byte that makes the length even may be missing.
	if (file.readUInt32LE(4) + 8 > file.length + 1) throw refused("it is a WebP file that breaks off");
	const of = (width: number, height: number) => ({ contentType: "image/webp", width, height }) as const;
	switch (file.toString("latin1", 12, 16)) {
		case "VP8 ":
			return of(file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff);
		case "VP8L": {
			const size = file.readUInt32LE(21);
			return of((size & 0x3fff) + 1, ((size >>> 14) & 0x3fff) + 1);
		}
		case "VP8X":
			if (((file[20] as number) & 0x02) !== 0) throw refused("it is a moving WebP file: send a single picture");
			return of(file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1);
		default:
			throw refused("it is a WebP file without a picture");
	}
}

const refused = (what: string): ReelmillError =>
	new ReelmillError("validation_error", { message: `The picture can't be taken: ${what}.` });
