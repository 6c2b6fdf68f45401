const begins = (bytes: Uint8Array, magic: readonly number[], at = 0): boolean =>
	magic.every((byte, index) => bytes[at + index] === byte);

/** Returns whether the bytes begin as a JPEG: start of image, and the first byte of a marker (ITU-T T.81, B.1.1.3). */
export const isJpeg = (bytes: Uint8Array): boolean => begins(bytes, [0xff, 0xd8, 0xff]);

/** Returns whether the bytes begin as a file of the MP4 family: with a file type box (ISO/IEC 14496-12, 4.3). */
export const isMp4 = (bytes: Uint8Array): boolean => begins(bytes, [...Buffer.from("ftyp")], 4);

const byteOrderMark = [0xef, 0xbb, 0xbf];
const webVtt = [...Buffer.from("WEBVTT")];

/**
 * Returns whether the bytes begin as WebVTT (W3C WebVTT, section 4.1): an optional byte order mark, the word, then
 * white space or the end.
 */
export function isWebVtt(bytes: Uint8Array): boolean {
	const start = begins(bytes, byteOrderMark) ? byteOrderMark.length : 0;
	const behind = bytes[start + webVtt.length];
	return begins(bytes, webVtt, start) && (behind === undefined || [0x20, 0x09, 0x0a, 0x0d].includes(behind));
}
