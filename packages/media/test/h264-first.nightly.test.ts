import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Playable, processVideo } from "../src/index.ts";
import { everything, type Folder, job, openFolder, streamsOf, tools } from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const early = [
	"dash/manifest.mpd",
	"hls/audio.m3u8",
	"hls/h264_180.m3u8",
	"hls/h264_180_iframes.m3u8",
	"hls/master.m3u8",
	"media/audio.m4a",
	"media/h264_180.mp4",
];
const pictures = ["og.jpg", "storyboard.vtt", "storyboard/00001.jpg", "web.mp4"];

describe("the smallest H.264 before the rest", () => {
	it("begins with the smallest; the larger one and web.mp4, which is made of it, come with the rest", async () => {
		const directory = folder.outputs();
		const bytes = (file: string) => readFile(join(directory, file));
		let playable: Playable | undefined;
		let before: readonly Buffer[] = [];
		const made = await processVideo({
			...{
				source: await folder.source("large.mp4", { size: "1440x1080", rate: "5", seconds: 1 }),
				directory,
				tools,
				job: job(["h264_720", "h264_1080"], everything),
			},
			onPlayable: async (shown) => {
				playable = shown;
				before = await Promise.all(shown.files.map(bytes));
			},
		});
		expect(playable?.renditions.map(({ name }) => name)).toEqual(["h264_720"]);
		const others = pictures.filter((file) => file !== "web.mp4");
		expect(playable?.files).toEqual([...early.map((file) => file.replace("h264_180", "h264_720")), ...others]);
		for (const [n, file] of (playable?.files ?? []).entries()) {
			const same = (await bytes(file)).equals(before[n] as Buffer);
			expect([file, same]).toEqual([file, !["hls/master.m3u8", "dash/manifest.mpd"].includes(file)]);
		}
		expect(made.renditions.map(({ name }) => name)).toEqual(["h264_720", "h264_1080"]);
		expect(await streamsOf(join(directory, "web.mp4"))).toMatchObject([{ height: 1080 }, { codec_type: "audio" }]);
	});
});
