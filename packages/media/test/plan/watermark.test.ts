import { afterAll, beforeAll, describe, it } from "vitest";
import { placeWatermark } from "../../src/plan/watermark.ts";
import { type Folder, openFolder } from "../support/sources.ts";
import { openWatermarks } from "../support/watermarks.ts";

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
});
