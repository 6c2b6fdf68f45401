import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, program, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const make = async (
	picture: string,
	{ renditions = ["h264_720"], frames = false, watermark = false, outputs = {} } = {},
) => {
	const source = await folder.source("source.mp4", { inputs: ["-f", "lavfi", "-i", picture], args: ["-crf", "10"] });
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
	await program(
		"ffmpeg",
		"-y",
		"-i",
		file,
		"-vf",
		`${filter},format=rgb24,scale=${size}:flags=area`,
		"-frames:v",
		"1",
		"-f",
		"rawvideo",
		raw,
	);
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
		).toEqual(["og.jpg"]);
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
