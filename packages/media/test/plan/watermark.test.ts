import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo, type Size } from "../../src/index.ts";
import { placeWatermark, type Watermark, watermarkInput } from "../../src/plan/watermark.ts";
import { type Folder, job, openFolder, program, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const grey = async (input: string[], filter: string): Promise<Buffer> => {
	const raw = folder.path("grey.raw");
	await program("ffmpeg", "-y", ...input, "-vf", `format=gray,${filter}`, "-frames:v", "1", "-f", "rawvideo", raw);
	return readFile(raw);
};
const crop = ({ width, height, x, y }: Watermark) => `crop=${width}:${height}:${x}:${y}`;

/** How much a picture is like another, whatever their brightness: 1 is the same. */
function likeness(one: Buffer, other: Buffer): number {
	const mean = (bytes: Buffer) => bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
	const [a, b] = [mean(one), mean(other)];
	let product = 0;
	let [ones, others] = [0, 0];
	for (const [n, value] of one.entries()) {
		const [left, right] = [value - a, (other[n] as number) - b];
		product += left * right;
		ones += left * left;
		others += right * right;
	}
	return product / Math.sqrt(ones * others);
}

/** The words must be there as letters: like the original, and much brighter than what surrounds them. */
async function expectLegible(file: string, place: Watermark) {
	const found = await grey(["-i", file], crop(place));
	const letters = await grey(watermarkInput, `scale=${place.width}:${place.height}:flags=area`);
	expect(likeness(found, letters), `${file}: letters`).toBeGreaterThan(0.75);
	const brightness = (keep: (value: number) => boolean) => {
		const kept = [...found].filter((_, n) => keep(letters[n] as number));
		return kept.reduce((sum, value) => sum + value, 0) / kept.length;
	};
	expect(brightness((value) => value > 220) - brightness((value) => value < 30), `${file}: contrast`).toBeGreaterThan(
		80,
	);
}

const make = async (size: string, colour: string, watermark: boolean, renditions = ["h264_720", "h264_1080"]) => {
	const source = await folder.source("source.mp4", {
		inputs: ["-f", "lavfi", "-i", `${colour}${colour.includes("=") ? ":" : "="}size=${size}:rate=10:duration=0.4`],
	});
	const directory = folder.outputs();
	const wanted = job(renditions);
	const made = await processVideo({
		source,
		directory,
		tools,
		job: { ...wanted, plan: { ...wanted.plan, watermark } },
	});
	return { ...made, file: (name: string) => join(directory, name) };
};

describe("the watermark", () => {
	it.each([
		["640x360", "color=white"],
		["640x360", "color=black"],
		["640x360", "testsrc2"],
		["160x90", "color=gray"],
		["202x360", "testsrc2"],
		["1920x1080", "color=white"],
	])("can be read in every rendition and web.mp4 of %s, on %s", async (size, colour) => {
		const { renditions, file } = await make(size, colour, true);
		for (const { name, width, height } of renditions)
			await expectLegible(file(`media/${name}.mp4`), placeWatermark({ width, height }));
		const [web] = await streamsOf(file("web.mp4"));
		await expectLegible(file("web.mp4"), placeWatermark({ width: Number(web?.width), height: Number(web?.height) }));
	});

	it("can be read in an AV1 rendition", async () => {
		const { file } = await make("640x360", "color=white", true, ["av1_720"]);
		await expectLegible(file("media/av1_360.mp4"), placeWatermark({ width: 640, height: 360 }));
	});

	it.each([
		["640x360", { width: 1200, height: 675 }, 0, 22],
		["202x360", { width: 354, height: 630 }, 423, 0],
		["600x400", { width: 1200, height: 800 }, 0, 85],
		["960x400", { width: 1512, height: 630 }, -156, 0],
	])("can be read in the og.jpg of %s, which is cropped or framed", async (size, scaled: Size, left, top) => {
		const { file } = await make(size, "color=white", true, ["h264_720"]);
		const [width = 0, height = 0] = size.split("x").map(Number);
		const { width: wide, height: high, x, y } = placeWatermark({ width, height });
		const scale = scaled.width / width;
		const place = {
			width: Math.round(wide * scale),
			height: Math.round(high * scale),
			x: Math.round(x * scale) + left,
			y: Math.round(y * scale) - top,
		};
		await expectLegible(file("og.jpg"), place);
	});

	it("changes nothing beside itself, and is in no video but those that ask for it", async () => {
		const [marked, plain] = [
			await make("640x360", "testsrc2", true, ["h264_720"]),
			await make("640x360", "testsrc2", false, ["h264_720"]),
		];
		const place = placeWatermark({ width: 640, height: 360 });
		const above = "crop=640:240:0:0";
		expect(
			likeness(await grey(["-i", marked.file("web.mp4")], above), await grey(["-i", plain.file("web.mp4")], above)),
		).toBeGreaterThan(0.995);
		const letters = await grey(watermarkInput, `scale=${place.width}:${place.height}:flags=area`);
		expect(likeness(await grey(["-i", plain.file("web.mp4")], crop(place)), letters)).toBeLessThan(0.3);
		const decided = ({ report }: { report: Record<string, unknown> }) =>
			(report.decisions as { about: string }[]).map(({ about }) => about);
		expect(decided(marked)).toContain("watermark");
		expect(decided(plain)).not.toContain("watermark");
	});

	it("stays to the last frame", async () => {
		const source = await folder.source("long.mp4", { size: "320x180", seconds: 2, sound: false });
		const directory = folder.outputs();
		const wanted = job();
		await processVideo({ source, directory, tools, job: { ...wanted, plan: { ...wanted.plan, watermark: true } } });
		await program(
			"ffmpeg",
			"-sseof",
			"-0.06",
			"-i",
			join(directory, "web.mp4"),
			"-frames:v",
			"1",
			folder.path("last.png"),
		);
		await expectLegible(folder.path("last.png"), placeWatermark({ width: 320, height: 180 }));
		await rm(directory, { recursive: true });
	});
});
