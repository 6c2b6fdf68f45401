import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, lavfi, openFolder, program, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const make = async (
	picture: string,
	{ renditions = ["h264_720"], frames = false, watermark = false, outputs = {} } = {},
) => {
	const source = await folder.source("source.mp4", { inputs: lavfi(picture), args: ["-crf", "10"] });
	const directory = folder.outputs();
	const wanted = job(renditions, outputs, 300);
	const made = await processVideo({
		source,
		directory,
		tools,
		job: { ...wanted, plan: { ...wanted.plan, moderation_frames: frames, watermark } },
	});
	return { ...made, file: (name: string) => join(directory, name) };
};
/** Red, green and blue of a picture, shrunk to a size. */
const pixels = async (file: string, size: string, filter = "null") => {
	const raw = folder.path("pixels.raw");
	const filters = `${filter},format=rgb24,scale=${size}:flags=area`;
	await program("ffmpeg", "-y", "-i", file, "-vf", filters, "-frames:v", "1", "-f", "rawvideo", raw);
	return readFile(raw);
};
const moment = ({ report }: { report: Record<string, unknown> }) =>
	(report.decisions as { about: string; decision: string }[]).find(({ about }) => about === "og.jpg")?.decision;
const seconds = (made: { report: Record<string, unknown> }) =>
	Number(/^the picture at ([\d.]+) s$/.exec(moment(made) ?? "")?.[1]);

describe("the picture of og.jpg", () => {
	const black = (seconds: number) => `color=black:size=320x180:rate=10:duration=${seconds},format=yuv420p`;
	const sharp = (seconds: number) => `testsrc2=size=320x180:rate=10:duration=${seconds},format=yuv420p`;
	const blurred = (seconds: number) => `${sharp(seconds)},boxblur=12:2`;

	it("is neither black nor blurred, if a key frame shows more", async () => {
		const made = await make(`${black(4)}[a];${blurred(4)}[b];${sharp(4)}[c];[a][b][c]concat=n=3`);
		expect(seconds(made)).toBeGreaterThanOrEqual(8);
		const [shown, expected] = [
			await pixels(made.file("og.jpg"), "32:17"),
			await pixels(made.file("web.mp4"), "32:17", `select=gte(t\\,${seconds(made)}),scale=1200:-1,crop=1200:630`),
		];
		const off = shown.reduce((sum, value, n) => sum + Math.abs(value - (expected[n] as number)), 0) / shown.length;
		expect(off).toBeLessThan(6);
	});

	it.each(["black", "white"])("is none that shows the watermark alone, on %s", async (colour) => {
		const faint = `${sharp(4)},eq=contrast=0.5,boxblur=2`;
		const made = await make(
			`color=${colour}:size=320x180:rate=10:duration=4,format=yuv420p[a];${faint}[b];[a][b]concat=n=2`,
			{ watermark: true },
		);
		expect(seconds(made)).toBeGreaterThanOrEqual(4);
	});

	it("is found in an AV1 track too, if nothing else was made", async () => {
		const made = await make(`${black(6)}[a];${sharp(6)}[b];[a][b]concat=n=2`, {
			renditions: ["av1_720"],
			outputs: { mp4_fallback: false },
		});
		expect(made.renditions.map(({ codec }) => codec)).toEqual(["av1"]);
		expect(seconds(made)).toBeGreaterThanOrEqual(6);
	});

	it("is made, and is black, if nothing else is shown", async () => {
		const made = await make(black(1));
		expect(moment(made)).toBe("the picture at 0.00 s");
	});

	it("is found between the key frames of a short clip that fades in from black", async () => {
		const made = await make(`${black(0.7)}[a];${sharp(0.8)}[b];[a][b]concat=n=2`);
		expect(moment(made)).toMatch(/^the picture at (0\.75|1\.00) s$/);
		const shown = await pixels(made.file("og.jpg"), "64:34");
		expect(Math.max(...shown) - Math.min(...shown)).toBeGreaterThan(150);
	});

	it("has the colours of the video: a JPEG's are those of BT.601 in full range", async () => {
		const { file } = await make("color=0xb05030:size=320x180:rate=10:duration=1,format=rgb24", { frames: true });
		for (const name of ["og.jpg", "frames/00001.jpg", "storyboard/00001.jpg"]) {
			const [red = 0, green = 0, blue = 0] = await pixels(file(name), "1:1");
			expect(Math.max(Math.abs(red - 0xb0), Math.abs(green - 0x50), Math.abs(blue - 0x30)), name).toBeLessThan(8);
		}
	});
});

describe("the storyboard", () => {
	type Cue = { from: number; to: number; sheet: string; x: number; y: number; width: number; height: number };
	const secondsOf = (time = "") => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
	const cuesOf = async (vtt: string): Promise<Cue[]> => {
		const text = await readFile(vtt, "utf8");
		expect(text.startsWith("WEBVTT\n\n")).toBe(true);
		const pattern = /^(\d\d:\d\d:\d\d\.\d{3}) --> (\d\d:\d\d:\d\d\.\d{3})\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;
		return [...text.matchAll(pattern)].map(([, from, to, sheet = "", ...box]) => {
			const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
			return { from: secondsOf(from), to: secondsOf(to), sheet, x, y, width, height };
		});
	};

	it("of a long video has at most a hundred pictures, each the one of its moment", async () => {
		// The brightness tells the time.
		const { file, files } = await make(
			"nullsrc=size=64x36:rate=10:duration=230,geq=lum='30+T*0.8':cb=128:cr=128,format=yuv420p",
			{ frames: true },
		);
		expect(files).toEqual(expect.arrayContaining(["storyboard.vtt", "storyboard/00001.jpg"]));
		const cues = await cuesOf(file("storyboard.vtt"));
		expect(cues).toHaveLength(58);
		const [sheet] = await streamsOf(file("storyboard/00001.jpg"));
		expect(sheet).toMatchObject({ codec_name: "mjpeg", width: 640, height: 216 });
		const grey = await pixels(file("storyboard/00001.jpg"), "640:216");
		for (const [n, cue] of cues.entries()) {
			expect(cue).toMatchObject({
				from: n * 4,
				to: n === 57 ? 230 : n * 4 + 4,
				sheet: "storyboard/00001.jpg",
				width: 64,
				height: 36,
			});
			expect(cue.x + cue.width).toBeLessThanOrEqual(640);
			expect(cue.y + cue.height).toBeLessThanOrEqual(216);
			const brightness = grey[((cue.y + 18) * 640 + cue.x + 32) * 3] as number;
			expect(Math.abs(brightness - ((30 + cue.from * 0.8 - 16) * 255) / 219)).toBeLessThan(6);
		}
		const frames = files.filter((name) => name.startsWith("frames/"));
		expect(frames).toHaveLength(115);
		expect(await readdir(file("frames"))).toHaveLength(115);
	});

	it("of a portrait video has upright pictures", async () => {
		const { file } = await make("testsrc2=size=180x320:rate=10:duration=3");
		expect((await cuesOf(file("storyboard.vtt"))).map(({ x, width, height }) => [x, width, height])).toEqual([
			[0, 90, 160],
			[90, 90, 160],
		]);
	});

	it("is not made if there is nothing to play", async () => {
		expect(
			(await make("testsrc2=size=160x90:rate=10:duration=1", { outputs: { hls: false, mp4_fallback: false } })).files,
		).toEqual(["og.jpg", "poster.jpg"]);
	});
});

describe("frames for moderation", () => {
	it("are JPEGs of every key frame, no wider than 640", async () => {
		const { file, files } = await make("testsrc2=size=1280x720:rate=10:duration=5", { frames: true });
		expect(files.filter((name) => name.startsWith("frames/"))).toEqual([
			"frames/00001.jpg",
			"frames/00002.jpg",
			"frames/00003.jpg",
		]);
		expect(await streamsOf(file("frames/00003.jpg"))).toMatchObject([{ codec_name: "mjpeg", width: 640, height: 360 }]);
	});

	it("are not made unless asked for", async () => {
		expect(
			(await make("testsrc2=size=160x90:rate=10:duration=1")).files.filter((name) => name.startsWith("frames/")),
		).toEqual([]);
	});
});
