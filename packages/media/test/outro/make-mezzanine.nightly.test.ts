import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeMezzanine } from "@reelmill/media";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodes, type Folder, openFolder, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

async function mezzanineOf(source: string, seconds = 60) {
	const directory = folder.outputs();
	const made = await makeMezzanine({ source, directory, tools, job: { limits: { max_duration_seconds: seconds } } });
	const path = join(directory, "mezzanine.mp4");
	const streams = await streamsOf(path);
	return { made, directory, path, video: streams[0], audio: streams[1], streams };
}

describe("an outro's mezzanine", () => {
	it("has the outro's own size and length, H.264 and sound, and is all that is made", async () => {
		const { made, directory, path, video, audio, streams } = await mezzanineOf(
			await folder.source("outro.webm", { size: "318x178", rate: "24" }),
		);
		expect(streams).toHaveLength(2);
		expect(video).toMatchObject({ codec_name: "h264", width: 318, height: 178, r_frame_rate: "24/1" });
		expect(audio).toMatchObject({ codec_name: "aac", sample_rate: "48000", channels: 1 });
		expect(made).toMatchObject({ files: ["mezzanine.mp4"], renditions: [], media: { width: 318, height: 178 } });
		expect(await readdir(directory)).toEqual(["mezzanine.mp4"]);
		expect(Math.abs(Number(video?.duration) - made.media.duration_seconds)).toBeLessThan(0.1);
		await decodes(path);
	});

	it("refuses an outro that is too long", async () => {
		const long = await folder.source("long.mp4", { seconds: 4 });
		await expect(mezzanineOf(long, 2)).rejects.toMatchObject({ reason: "duration_too_long" });
	});

	it("is silent if the outro has no sound, for as long as the picture lasts", async () => {
		const { path, video, audio } = await mezzanineOf(await folder.source("mute.mp4", { sound: false }));
		expect(audio).toMatchObject({ codec_name: "aac", sample_rate: "48000", channels: 2 });
		expect(Math.abs(Number(audio?.duration) - Number(video?.duration))).toBeLessThan(0.05);
		await decodes(path);
	});
});
