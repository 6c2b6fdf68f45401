import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeWatermark, watermarkInput } from "../../src/plan/watermark.ts";
import { type Folder, openFolder } from "../support/sources.ts";
import { crop, likeness, openWatermarks } from "../support/watermarks.ts";

let folder: Folder;
let watermarks: ReturnType<typeof openWatermarks>;
beforeAll(async () => {
	folder = await openFolder();
	watermarks = openWatermarks(folder);
});
afterAll(() => folder.close());

describe("the watermark", () => {
	it("can be read in web.mp4 and in og.jpg, on white", async () => {
		const { file } = await watermarks.make("640x360", "color=white", true, ["h264_720"]);
		const { width, height, x, y } = placeWatermark({ width: 640, height: 360 });
		await watermarks.expectLegible(file("web.mp4"), { width, height, x, y });
		const scaled = (pixels: number) => Math.round((pixels * 1200) / 640);
		const place = { width: scaled(width), height: scaled(height), x: scaled(x), y: scaled(y) - 22 };
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
});
