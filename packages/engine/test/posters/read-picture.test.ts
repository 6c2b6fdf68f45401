import { describe, expect, it } from "vitest";
import { readPicture } from "../../src/posters/index.ts";

const of = (...parts: (string | number[])[]) =>
	Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const zeros = (count: number): number[] => Array(count).fill(0);
const jpeg = (width: number, height: number) => {
	const size = Buffer.alloc(4);
	size.writeUInt16BE(height);
	size.writeUInt16BE(width, 2);
	return of(
		[0xff, 0xd8, 0xff, 0xe0, 0, 6],
		"JFIF",
		[0xff, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 11, 8],
		[...size],
		zeros(8),
		[0xff, 0xd9],
	);
};
const png = (width: number, height: number) => {
	const size = Buffer.alloc(8);
	size.writeUInt32BE(width);
	size.writeUInt32BE(height, 4);
	return of(
		[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
		"IHDR",
		[...size],
		zeros(9),
		zeros(4),
		"IEND",
		zeros(4),
	);
};
const webP = (kind: string, body: number[]) => of("RIFF", zeros(4), "WEBP", kind, zeros(4), body, zeros(20));

describe("a picture that is sent", () => {
	it("is a JPEG, a PNG or a WebP by its first bytes, which tell its size", () => {
		expect(readPicture(jpeg(1920, 1080))).toEqual({ contentType: "image/jpeg", width: 1920, height: 1080 });
		expect(readPicture(png(800, 600))).toEqual({ contentType: "image/png", width: 800, height: 600 });
		const size = (width: number, height: number) => [width & 255, width >> 8, height & 255, height >> 8];
		expect(readPicture(webP("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, ...size(640, 360)]))).toMatchObject({
			width: 640,
			height: 360,
		});
		expect(readPicture(webP("VP8L", [0x2f, 0x7f, 0xc2, 0x59, 0]))).toMatchObject({ width: 640, height: 360 });
		expect(readPicture(webP("VP8X", [0, 0, 0, 0, 0x7f, 2, 0, 0x67, 1, 0]))).toMatchObject({ width: 640, height: 360 });
	});

	it.each([
		["neither a JPEG, nor a PNG, nor a WebP", of("GIF89a", zeros(40))],
		["neither a JPEG, nor a PNG, nor a WebP", of("<svg xmlns='http://www.w3.org/2000/svg'/>")],
		["neither a JPEG, nor a PNG, nor a WebP", new Uint8Array()],
		["JPEG file that breaks off", jpeg(10, 10).subarray(0, 18)],
		["JPEG file that breaks off", jpeg(10, 10).subarray(0, -2)],
		["JPEG file that breaks off", of([0xff, 0xd8, 0xff, 0xd9], zeros(20))],
		["PNG file that breaks off", png(10, 10).subarray(0, 20)],
		["PNG file that breaks off", png(10, 10).subarray(0, -12)],
		["WebP file that breaks off", webP("VP8 ", []).subarray(0, 20)],
		["WebP file that breaks off", of("RIFF", [200], zeros(3), "WEBP", "VP8 ", zeros(40))],
		["WebP file without a picture", webP("ICCP", [])],
		["moving WebP", webP("VP8X", [2, 0, 0, 0, 9, 0, 0, 9, 0, 0])],
		["10000 x 5001 pixels, and may have 50000000", png(10_000, 5001)],
		["can't have 70000 x 1", png(70_000, 1)],
		["can't have 0 x 10", jpeg(0, 10)],
	])("is refused with what is wrong: %s", (what, bytes) => {
		expect(() => readPicture(bytes)).toThrow(what);
	});
});
