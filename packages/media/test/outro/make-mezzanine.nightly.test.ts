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
	it("is silent if the outro has no sound, for as long as the picture lasts", async () => {
		const { path, video, audio } = await mezzanineOf(await folder.source("mute.mp4", { sound: false }));
		expect(audio).toMatchObject({ codec_name: "aac", sample_rate: "48000", channels: 2 });
		expect(Math.abs(Number(audio?.duration) - Number(video?.duration))).toBeLessThan(0.05);
		await decodes(path);
	});
});
