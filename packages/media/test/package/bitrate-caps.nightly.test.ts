import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("a rendition above its cap", () => {
	it("is left out of everything, and the report says so: noise that AV1 can't press below its cap", async () => {
		const noise = "nullsrc=size=1280x720:rate=24:duration=2,geq=lum='random(1)*255':cb=128:cr=128";
		const source = await folder.source("noise.mp4", { inputs: ["-f", "lavfi", "-i", noise] });
		const directory = folder.outputs();
		const made = await processVideo({
			source,
			directory,
			tools,
			job: { ...job(["h264_720", "av1_720"]), speed: "fast" },
		});
		expect(made.renditions.map(({ codec }) => codec)).toEqual(["h264"]);
		expect(made.files.filter((file) => file.includes("av1"))).toEqual([]);
		expect(await readFile(join(directory, "hls/master.m3u8"), "utf8")).not.toContain("av1");
		expect(made.report).toMatchObject({
			decisions: expect.arrayContaining([expect.objectContaining({ about: "av1_720", decision: "dropped" })]),
		});
	});
});
