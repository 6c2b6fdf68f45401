import { execFile } from "node:child_process";
import { mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MediaError, makePoster } from "../../src/index.ts";
import { made } from "../support/made.ts";
import { type Folder, lavfi, openFolder, program, streamsOf, tools } from "../support/sources.ts";

const size = { width: 160, height: 90 };
const rate = 30_000 / 1001;
let folder: Folder;
let outputs: string;
let clip: string;
beforeAll(async () => {
	folder = await openFolder();
	outputs = (await made("a small clip")).directory;
	clip = (await made("the bundled clip")).directory;
});
afterAll(() => folder.close());

async function newFolder(): Promise<string> {
	const path = folder.outputs();
	await mkdir(path);
	return path;
}

/** The brightness of each picture of a file. */
async function pictures(path: string): Promise<Buffer[]> {
	const args = ["-v", "error", "-i", path, "-vf", "scale=out_range=pc,format=gray,scale=160:90", "-f", "rawvideo", "-"];
	const { stdout } = await promisify(execFile)("ffmpeg", args, { encoding: "buffer", maxBuffer: 2 ** 28 });
	const bytes = size.width * size.height;
	return Array.from({ length: stdout.length / bytes }, (_, n) => stdout.subarray(n * bytes, (n + 1) * bytes));
}
const difference = (a: Buffer, b: Buffer): number => a.reduce((sum, value, n) => sum + (value - (b[n] ?? 0)) ** 2, 0);
/** Which of the pictures it is. */
const nearest = (picture: Buffer, all: readonly Buffer[]): number => {
	const differences = all.map((one) => difference(picture, one));
	return differences.indexOf(Math.min(...differences));
};

/** Makes a poster of a file that has only the bytes that were asked for. */
async function ofFrame(file: string, atSeconds: number, preview = false, from = outputs) {
	const whole = await readFile(join(from, file));
	const directory = await newFolder();
	const path = join(directory, "parts");
	const parts = await open(path, "w");
	await parts.truncate(whole.length);
	let bytes = 0;
	const need = async ({ offset, length }: { offset: number; length: number }) => {
		bytes += length;
		await parts.write(whole, offset, length, offset);
	};
	const source = { path, bytes: whole.length, atSeconds, preview, need };
	const files = await makePoster({ source, size, directory, folder: directory, tools });
	await parts.close();
	return { directory, files, bytes, whole: whole.length };
}

const ofPicture = async (path: string, format: "jpeg" | "png" | "webp", shape = size) => {
	const directory = await newFolder();
	await makePoster({ source: { path, format }, size: shape, directory, folder: directory, tools });
	return directory;
};
const picture = async (name: string, graph: string, ...args: string[]) => {
	const path = join(await newFolder(), name);
	await program("ffmpeg", "-v", "error", ...lavfi(graph), "-frames:v", "1", ...args, path);
	return path;
};
/** The pixels of a picture in a size that does for all. */
async function pixels(path: string): Promise<Buffer> {
	const args = ["-v", "error", "-i", path, "-vf", "scale=100:100,format=rgb24", "-f", "rawvideo", "-"];
	return (await promisify(execFile)("ffmpeg", args, { encoding: "buffer" })).stdout;
}
/** Writes the first picture of a moving WebP as a file of its own, since ffmpeg reads no other. */
async function firstOf(preview: Buffer): Promise<string> {
	const at = preview.indexOf("ANMF") + 24;
	const frame = preview.subarray(at, at + 8 + preview.readUInt32LE(at + 4));
	const head = Buffer.from("RIFF\0\0\0\0WEBP");
	head.writeUInt32LE(frame.length + 4, 4);
	const path = join(await newFolder(), "first.webp");
	await writeFile(path, Buffer.concat([head, frame]));
	return path;
}
/** Colours of a picture at shares of its width and height, as red, green and blue. */
async function colours(path: string, ...places: (readonly [number, number])[]) {
	const stdout = await pixels(path);
	return places.map(([x, y]) =>
		[...stdout.subarray((y * 100 + x) * 3, (y * 100 + x) * 3 + 3)].map((one) => (one > 127 ? 1 : 0)).join(""),
	);
}

describe("a poster of a frame", () => {
	it("shows the frame that is seen at that moment, of each kind of finished file", async () => {
		for (const [file, moments] of [
			["media/h264_90.mp4", [41 / rate, 2.2]],
			["media/av1_90.mp4", [1.5]],
			["web.mp4", [1.98, 99]],
		] as const) {
			const all = await pictures(join(outputs, file));
			for (const moment of moments) {
				const { directory, files } = await ofFrame(file, moment);
				expect(files).toEqual(["og.jpg", "poster.jpg"]);
				const [poster] = await pictures(join(directory, "poster.jpg"));
				const frame = Math.min(Math.floor((moment + 0.0005) * rate), all.length - 1);
				expect(nearest(poster as Buffer, all), `${file} at ${moment}`).toBe(frame);
				expect(await streamsOf(join(directory, "og.jpg"))).toMatchObject([{ width: 1200, height: 630 }]);
			}
		}
	});

	it.each([
		["media/h264_404.mp4", 6, false, 0.4],
		["web.mp4", 6, false, 0.4],
		["media/h264_404.mp4", 7, true, 0.7],
		["web.mp4", 7, true, 0.7],
	])("reads no more of %s for second %d than it shows of it (preview: %s)", async (file, seconds, preview, share) => {
		const { bytes, whole, files } = await ofFrame(file, seconds, preview, clip);
		expect(files).toHaveLength(preview ? 3 : 2);
		expect(bytes / whole).toBeLessThan(share);
	});

	it("moves for three seconds in less than 500 kB, if that is wanted", async () => {
		const { directory, files } = await ofFrame("media/h264_90.mp4", 0, true);
		expect(files).toEqual(["og.jpg", "poster.jpg", "preview.webp"]);
		const preview = await readFile(join(directory, "preview.webp"));
		expect(preview.length).toBeLessThan(500_000);
		expect([preview.toString("latin1", 8, 12), preview.toString("latin1", 30, 34)]).toEqual(["WEBP", "ANIM"]);
		const frames = preview.toString("latin1").split("ANMF").length - 1;
		expect(frames).toBeGreaterThanOrEqual(30);
		const [first, poster] = await Promise.all([pixels(await firstOf(preview)), pixels(join(directory, "poster.jpg"))]);
		const off = first.reduce((sum, value, n) => sum + Math.abs(value - (poster[n] ?? 0)), 0) / first.length;
		// In the colours of a rendition it is 9 off, and in its own 6.
		expect(off).toBeLessThan(7.5);
	});
});

describe("a poster of a picture", () => {
	it("is shown whole in the video's shape, whatever is transparent or turned, and is encoded anew", async () => {
		const wide = await picture("wide.png", "color=red:size=320x180");
		const turned = await picture("turned.jpg", "color=red:size=200x100,drawbox=w=100:color=blue:t=fill");
		const jpeg = await readFile(turned);
		// Orientation 6: it is to be turned by 90 degrees clockwise.
		const exif = Buffer.from("ffe100224578696600004d4d002a00000008000101120003000000010006000000000000", "hex");
		await writeFile(turned, Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]));
		const clear = await picture("clear.png", "color=white@0.0:size=320x180,format=rgba");
		const webp = await picture("small.webp", "color=lime:size=16x9");

		const shapes = await Promise.all([ofPicture(wide, "png"), ofPicture(clear, "png"), ofPicture(webp, "webp")]);
		for (const [n, expected] of ["100", "000", "010"].entries()) {
			const path = join(shapes[n] as string, "poster.jpg");
			expect(await streamsOf(path)).toMatchObject([{ codec_name: "mjpeg", ...size }]);
			expect(await colours(path, [50, 50], [1, 1])).toEqual([expected, expected]);
		}
		const upright = join(await ofPicture(turned, "jpeg", { width: 100, height: 200 }), "poster.jpg");
		expect(await streamsOf(upright)).toMatchObject([{ width: 100, height: 200 }]);
		expect(await colours(upright, [50, 25], [50, 75])).toEqual(["001", "100"]);
		expect((await readFile(upright)).includes("Exif")).toBe(false);
	});

	it("is refused for good if it can't be read", async () => {
		const path = join(await newFolder(), "broken.png");
		await writeFile(path, Buffer.from("89504e470d0a1a0a0000000d494844520000001000000010080200000000000000", "hex"));
		await expect(ofPicture(path, "png")).rejects.toThrow(MediaError);
		expect((await stat(path)).size).toBeGreaterThan(0);
	});
});
