import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cutVideo } from "../../src/index.ts";
import { openCuts } from "../support/cuts.ts";
import { type Folder, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let cuts: Awaited<ReturnType<typeof openCuts>>;
beforeAll(async () => {
	folder = await openFolder();
	cuts = await openCuts(folder, 5);
});
afterAll(() => folder.close());

it("keeps the old pictures and sound of a stretch, and encodes its two ends at most", async () => {
	const { made, directory, cut } = await cuts.expectCut(37, 133);
	expect(made.media).toEqual({ duration_seconds: 3.2, width: 160, height: 90 });
	// The first key frame comes 23 frames later. Behind the last one H.264 needs at most three frames of its own.
	const [h264, av1] = cut.renditions;
	expect(h264?.encoded_frames).toBeGreaterThanOrEqual(23);
	expect(h264?.encoded_frames).toBeLessThanOrEqual(26);
	expect(av1?.encoded_frames).toBe(23);
	const transcript = await readFile(join(directory, "transcript.vtt"), "utf8");
	expect(transcript).toContain("00:00:00.000 --> 00:00:00.767\nThe first words");
	expect(transcript).toContain("00:00:01.767 --> 00:00:03.200\nWords in the middle");
	const master = await readFile(join(directory, "hls/master.m3u8"), "utf8");
	expect(master).toContain('TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en"');
	expect(master).toContain('TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en"');
});

it("refuses a stretch without a frame", async () => {
	const none = { source: cuts.directory, directory: folder.outputs(), tools, startSeconds: 2, endSeconds: 2.01 };
	await expect(cutVideo(none)).rejects.toThrow(RangeError);
});
