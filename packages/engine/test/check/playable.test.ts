import { describe, expect, it } from "vitest";
import { verdict } from "../../src/check/playable.ts";

const opening = ["hls/opening_h264_720.m3u8", "media/opening_h264_720.mp4"];
const stream = ["hls/master.m3u8", "hls/h264_720.m3u8", "media/h264_720.mp4"];
const files = Object.fromEntries([...stream, ...opening, "web.mp4", "og.jpg"].map((path) => [path, 1]));

describe("a video with an opening, of which files are missing", () => {
	it("plays without its opening if a file of that is missing", () => {
		for (const path of opening) expect(verdict({ files }, [path])).toEqual({ type: "lessened", without: opening });
	});

	it("has neither stream nor opening if a file of the stream is missing", () => {
		expect(verdict({ files }, ["media/h264_720.mp4"])).toEqual({ type: "lessened", without: [...stream, ...opening] });
	});

	it("keeps both if another file is missing", () => {
		expect(verdict({ files }, ["og.jpg"])).toEqual({ type: "lessened", without: ["og.jpg"] });
	});

	it("can't be played if nothing but the opening is left", () => {
		expect(verdict({ files }, [...stream, "web.mp4"])).toEqual({ type: "unplayable" });
	});
});
