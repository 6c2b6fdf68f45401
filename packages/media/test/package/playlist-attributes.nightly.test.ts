import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as hls from "hls-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { codecsOf, ratesOf } from "../support/playlists.ts";
import { type Folder, job, openFolder, streamsOf, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("every attribute of a master playlist is true", () => {
	it.each([
		["one frame", { args: ["-frames:v", "1"], sound: false }, "25.000"],
		["a clip shorter than a segment", { seconds: 0.7 }, "25.000"],
		["a clip that ends in the middle of a segment", { seconds: 4.6, rate: "10" }, "10.000"],
		["60 frames a second", { rate: "60" }, "60.000"],
		["24000/1001 frames a second", { rate: "24000/1001", seconds: 3 }, "23.976"],
		["portrait, without sound", { size: "180x320", sound: false }, "25.000"],
		["an odd size", { size: "322x182", args: ["-vf", "crop=321:181", "-pix_fmt", "yuv444p"] }, "25.000"],
	])("of %s", async (name, kind, frameRate) => {
		const directory = folder.outputs();
		await processVideo({
			source: await folder.source(`${name.replaceAll(/\W/g, "-")}.mp4`, kind),
			directory,
			tools,
			job: job(["h264_720", "av1_720"]),
		});
		const text = (file: string) => readFile(join(directory, "hls", file), "utf8");
		const playlistOf = async (uri: string) => hls.parse(await text(uri)) as hls.types.MediaPlaylist;
		const master = hls.parse(await text("master.m3u8")) as hls.types.MasterPlaylist;
		const variants = master.variants.filter((one) => one.resolution && !one.isIFrameOnly);
		expect(variants).toHaveLength(2);
		const targets = new Set<number>();
		for (const { uri, audio, ...variant } of variants) {
			const track = join(directory, "media", uri.replace("m3u8", "mp4"));
			const [stream] = await streamsOf(track);
			const sound = audio.map(() => codecsOf(join(directory, "media/audio.m4a")));
			expect(variant.codecs).toBe((await Promise.all([codecsOf(track), ...sound])).join(","));
			expect(variant.resolution).toEqual({ width: stream?.width, height: stream?.height });
			expect(variant.frameRate).toBe(Number(frameRate));
			const playlists = await Promise.all([uri, ...audio.map((rendition) => rendition.uri as string)].map(playlistOf));
			const rates = playlists.map(ratesOf);
			expect(variant.averageBandwidth).toBe(rates.reduce((sum, { average }) => sum + average, 0));
			expect(variant.bandwidth).toBe(rates.reduce((sum, { peak }) => sum + peak, 0));
			for (const { targetDuration, segments } of playlists) {
				targets.add(targetDuration);
				for (const { duration } of segments) expect(Math.round(duration)).toBeLessThanOrEqual(targetDuration);
			}
		}
		expect(targets.size).toBe(1);
	});
});
