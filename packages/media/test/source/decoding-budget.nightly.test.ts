import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MediaJob, processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const area = 160 * 90;
const bounded = (pixels: number, seconds = 10): MediaJob => ({
	...job(["h264_720"]),
	limits: { max_duration_seconds: seconds, max_decoded_pixels: pixels },
});
describe("what the packets turn out to hold", () => {
	it("is what an honest file has room for: two hundred packets of a picture", async () => {
		const args = ["-c:v", "libsvtav1", "-preset", "12", "-svtav1-params", "pred-struct=1"];
		const honest = await folder.source("av1.mp4", { size: "160x90", seconds: 8, sound: false, args });
		const directory = folder.outputs();
		const made = await processVideo({ source: honest, directory, tools, job: bounded(200 * area) });
		expect(made.files).toContain("web.mp4");
	});

	it("is bounded in chunks as well", async () => {
		const source = await folder.source("long.mp4", { size: "160x90", seconds: 6, args: ["-g", "25"] });
		const made = await processVideo({
			source,
			directory: folder.outputs(),
			tools,
			job: bounded(200 * area),
			chunks: 2,
		});
		expect(made.report.decisions).toContainEqual(expect.objectContaining({ decision: "in 2 chunks at once" }));
	});
});
