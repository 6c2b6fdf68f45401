import { describe, expect, it } from "vitest";
import { containerOf, containers, contentTypes, firstBytes, otherFileOf } from "../src/containers.ts";

/** A file that begins so; zeros follow. */
function beginning(...parts: readonly (readonly [at: number, text: string])[]): Uint8Array {
	const bytes = Buffer.alloc(firstBytes);
	for (const [at, text] of parts) bytes.write(text, at, "latin1");
	return bytes;
}

describe("the container that first bytes show", () => {
	it.each([
		["mov", [4, "ftypisom"]],
		["mov", [4, "ftyp3gp4"]],
		["mov", [4, "moov"]],
		["matroska", [0, "\x1a\x45\xdf\xa3"]],
		["avi", [0, "RIFF\x01\x02\x03\x04AVI LIST"]],
		["flv", [0, "FLV\x01\x05"]],
		["ogg", [0, "OggS\0\x02"]],
		["gif", [0, "GIF89a"]],
		["gif", [0, "GIF87a"]],
		["asf", [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c"]],
		["mxf", [0, "\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02\x04\x00"]],
		["mpeg", [0, "\0\0\x01\xba\x44"]],
	] as const)("%s: %j", (container, part) => {
		expect(containerOf(beginning(part))).toBe(container);
		expect(otherFileOf(beginning(part))).toBeNull();
	});

	it("raw DV is known by two blocks, MPEG-TS by three packets", () => {
		expect(containerOf(beginning([0, "\x1f\x07\0\xbf"], [80, "?\x07\0"]))).toBe("dv");
		expect(containerOf(beginning([0, "\x1f\x07\0\x3f"]))).toBeNull();
		for (const [first, size] of [
			[0, 188],
			[4, 192],
			[0, 204],
		] as const) {
			expect(containerOf(beginning([first, "G"], [first + size, "G"], [first + 2 * size, "G"]))).toBe("mpegts");
			expect(containerOf(beginning([first, "G"], [first + size, "G"]))).toBeNull();
		}
	});

	it("is none of a file that ends before its marks do, nor of an empty one", () => {
		for (const text of ["", "RIFF", "GIF8", "OggS", "\0\0\x01"])
			expect(containerOf(Buffer.from(text, "latin1"))).toBeNull();
	});

	it("needs no more bytes than are read", () => {
		for (const mark of Object.values(containers).flat())
			for (const part of mark.split(" + ")) {
				const [at = "", hex = ""] = part.split(":");
				expect(Number(at) + hex.length / 2).toBeLessThanOrEqual(firstBytes);
				expect(hex).toMatch(/^([0-9a-f]{2})+$/);
			}
	});
});

describe("what can't be taken", () => {
	it.each([
		["RealMedia", ".RMF\0\0\0\x12"],
		["a Flash film", "CWS\x0a"],
		["a playlist", "#EXTM3U\n"],
		["a playlist", "ffconcat version 1.0\n"],
		["a document", "%PDF-1.7"],
		["a document", '<?xml version="1.0"?><MPD>'],
		["an archive", "PK\x03\x04"],
		["a picture", "\xff\xd8\xff\xe0"],
		["a picture", "\x89PNG\r\n\x1a\n"],
		["a picture", "RIFF\x01\x02\x03\x04WEBPVP8 "],
		["sound alone", "RIFF\x01\x02\x03\x04WAVEfmt "],
		["sound alone", "ID3\x03"],
		["a stream of pictures without a container", "YUV4MPEG2 W160"],
	])("%s: %j", (name, text) => {
		expect(otherFileOf(Buffer.from(text, "latin1"))).toBe(name);
	});

	it("is not said of bytes that nobody knows", () => {
		for (const text of ["", "the bytes of a video", "\0\0\0\0\0\0\0\0"])
			expect(otherFileOf(Buffer.from(text, "latin1"))).toBeNull();
	});
});

it("every ending has a type that POST /v1/videos takes", () => {
	for (const type of Object.values(contentTypes)) expect(type).toMatch(/^video\/[a-z0-9.-]+$/);
});
