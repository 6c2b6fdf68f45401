import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo, type Size } from "../../src/index.ts";
import { placeWatermark, watermarkInput } from "../../src/plan/watermark.ts";
import { type Folder, job, openFolder, program, streamsOf, tools } from "../support/sources.ts";
import { crop, likeness, openWatermarks } from "../support/watermarks.ts";

let folder: Folder;
let watermarks: ReturnType<typeof openWatermarks>;
beforeAll(async () => {
	folder = await openFolder();
	watermarks = openWatermarks(folder);
});
afterAll(() => folder.close());

describe("the watermark", () => {
	it.each([
		["640x360", "color=white"],
		["640x360", "color=black"],
		["640x360", "testsrc2"],
		["160x90", "color=gray"],
		["202x360", "testsrc2"],
		["1920x1080", "color=white"],
	])("can be read in every rendition and web.mp4 of %s, on %s", async (size, colour) => {
		const { renditions, file } = await watermarks.make(size, colour, true);
		for (const { name, width, height } of renditions)
			await watermarks.expectLegible(file(`media/${name}.mp4`), placeWatermark({ width, height }));
		const [web] = await streamsOf(file("web.mp4"));
		await watermarks.expectLegible(
			file("web.mp4"),
			placeWatermark({ width: Number(web?.width), height: Number(web?.height) }),
		);
	});

	it("can be read in an AV1 rendition", async () => {
		const { file } = await watermarks.make("640x360", "color=white", true, ["av1_720"]);
		await watermarks.expectLegible(file("media/av1_360.mp4"), placeWatermark({ width: 640, height: 360 }));
	});

	it.each([
		["640x360", { width: 1200, height: 675 }, 0, 22],
		["202x360", { width: 354, height: 630 }, 423, 0],
		["600x400", { width: 1200, height: 800 }, 0, 85],
		["960x400", { width: 1512, height: 630 }, -156, 0],
	])("can be read in the og.jpg of %s, which is cropped or framed", async (size, scaled: Size, left, top) => {
		const { file } = await watermarks.make(size, "color=white", true, ["h264_720"]);
		const [width = 0, height = 0] = size.split("x").map(Number);
		const { width: wide, height: high, x, y } = placeWatermark({ width, height });
		const scale = scaled.width / width;
		const place = {
			width: Math.round(wide * scale),
			height: Math.round(high * scale),
			x: Math.round(x * scale) + left,
			y: Math.round(y * scale) - top,
		};
		await watermarks.expectLegible(file("og.jpg"), place);
	});

	it("changes nothing beside itself, and is in no video but those that ask for it", async () => {
		const [marked, plain] = [
			await watermarks.make("640x360", "testsrc2", true, ["h264_720"]),
			await watermarks.make("640x360", "testsrc2", false, ["h264_720"]),
		];
		const place = placeWatermark({ width: 640, height: 360 });
		const above = "crop=640:240:0:0";
		expect(
			likeness(
				await watermarks.grey(["-i", marked.file("web.mp4")], above),
				await watermarks.grey(["-i", plain.file("web.mp4")], above),
			),
		).toBeGreaterThan(0.995);
		const letters = await watermarks.grey(watermarkInput, `scale=${place.width}:${place.height}:flags=area`);
		expect(likeness(await watermarks.grey(["-i", plain.file("web.mp4")], crop(place)), letters)).toBeLessThan(0.3);
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
		await watermarks.expectLegible(folder.path("last.png"), placeWatermark({ width: 320, height: 180 }));
		await rm(directory, { recursive: true });
	});
});
