import { chmod, readFile, writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { join } from "node:path";
import * as hls from "hls-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Playable, processVideo } from "../src/index.ts";
import {
	decodes,
	everything,
	type Folder,
	job,
	keyFrameTimes,
	openFolder,
	streamsOf,
	tools,
} from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** What can be played as soon as there is this one rendition. */
const early = (name: string) => [
	"dash/manifest.mpd",
	"hls/audio.m3u8",
	`hls/${name}.m3u8`,
	`hls/${name}_iframes.m3u8`,
	"hls/master.m3u8",
	"media/audio.m4a",
	`media/${name}.mp4`,
];
const pictures = ["og.jpg", "poster.jpg", "storyboard.vtt", "storyboard/00001.jpg", "web.mp4"];

describe("the smallest H.264 before the rest", () => {
	it("can be played before AV1 is there, stays as it is when that is added, and every track is proved once", async () => {
		const [log, ffmpeg] = [folder.path("niceness"), folder.path("watched-ffmpeg")];
		await writeFile(
			ffmpeg,
			`#!/bin/sh\nrun=$(echo "$(nice)" "$@" | tr '\\n' ' ')\necho "$run" >> ${log}\nPATH=/usr/local/bin:/usr/bin:/bin exec ${tools.ffmpeg} "$@"\n`,
		);
		await chmod(ffmpeg, 0o755);
		const directory = folder.outputs();
		const bytes = (file: string) => readFile(join(directory, file));
		const variants = async (): Promise<(string | undefined)[]> => {
			const playlist = hls.parse((await bytes("hls/master.m3u8")).toString("utf8"));
			const variants = "variants" in playlist ? playlist.variants : [];
			return variants.filter((one) => one.resolution && !one.isIFrameOnly).map(({ uri }) => uri);
		};
		let playable: Playable | undefined;
		const before = new Map<string, Buffer>();
		const progress: number[] = [];
		const told: string[] = [];
		const made = await processVideo({
			...{
				source: await folder.source("source.mp4", { size: "160x90", rate: "10", seconds: 4 }),
				directory,
				tools: { ...tools, ffmpeg, confinement: "off" as const },
				job: job(["h264_720", "av1_720"], everything),
			},
			onProgress: (percent, encodes) => {
				progress.push(percent);
				told.push(
					...encodes.map(({ renditions, progress }) => `${renditions} ${progress === 100 ? "whole" : "begun"}`),
				);
			},
			onPlayable: async (files) => {
				playable = files;
				expect(await variants()).toEqual(["h264_90.m3u8"]);
				await decodes(join(directory, "media/h264_90.mp4"));
				for (const file of files.files) before.set(file, await bytes(file));
			},
		});
		expect(playable?.files).toEqual([...early("h264_90"), ...pictures]);
		expect(playable?.renditions).toEqual([
			{ name: "h264_90", codec: "h264", width: 160, height: 90, bitrate: expect.any(Number) },
		]);
		expect(await variants()).toEqual(["h264_90.m3u8", "av1_90.m3u8"]);
		expect(made.files).toEqual(
			[
				...early("h264_90"),
				...pictures,
				...["", "_iframes"].map((kind) => `hls/av1_90${kind}.m3u8`),
				"media/av1_90.mp4",
			].sort(),
		);
		expect(made.renditions.map(({ name }) => name)).toEqual(["h264_90", "av1_90"]);
		expect(await keyFrameTimes(join(directory, "media/av1_90.mp4"))).toEqual(
			await keyFrameTimes(join(directory, "media/h264_90.mp4")),
		);
		for (const file of before.keys()) {
			const same = (await bytes(file)).equals(before.get(file) as Buffer);
			expect([file, same]).toEqual([file, !["hls/master.m3u8", "dash/manifest.mpd"].includes(file)]);
		}
		expect(progress).toEqual([...progress].sort((a, b) => a - b));
		expect(progress.at(-1)).toBe(100);
		expect([...new Set(told)].sort()).toEqual(["av1_90 begun", "av1_90 whole", "h264_90 begun", "h264_90 whole"]);
		expect(made.report.decisions).toContainEqual(
			expect.objectContaining({ about: "h264_90", decision: "encoded ahead of the other renditions" }),
		);

		const runs = (await readFile(log, "utf8")).trim().split("\n");
		const niceness = (encoder: string) =>
			runs.filter((run) => run.includes(encoder)).map((run) => Number.parseInt(run, 10));
		expect([niceness("libx264"), niceness("libsvtav1")]).toEqual([[getPriority()], [Math.min(getPriority() + 10, 19)]]);
		const proofs = runs.filter((run) => run.includes("-f null"));
		const decoded = proofs.flatMap((run) => [...new Set(run.match(/media\/\S+/g))]);
		expect(decoded.sort()).toEqual(["media/audio.m4a", "media/av1_90.mp4", "media/h264_90.mp4"]);
	});

	it("is not told of if there is only one rendition", async () => {
		let called = false;
		const onPlayable = () => {
			called = true;
		};
		const made = await processVideo({
			source: await folder.source("one.mp4", { size: "160x90", rate: "10", seconds: 1 }),
			directory: folder.outputs(),
			tools,
			job: job(["h264_720"], { hls: false, og_thumbnail: false }),
			onPlayable,
		});
		expect(called).toBe(false);
		expect(made.renditions).toHaveLength(1);
	});

	it("fails and stops AV1 if nobody takes what can be played", async () => {
		const onPlayable = () => Promise.reject(new Error("nobody takes it"));
		const running = processVideo({
			source: await folder.source("refused.mp4", { size: "160x90", rate: "10", seconds: 1 }),
			directory: folder.outputs(),
			tools,
			job: job(["h264_720", "av1_720"]),
			onPlayable,
		});
		await expect(running).rejects.toThrow("nobody takes it");
	});

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
		expect(playable?.files).toEqual([...early("h264_720"), ...others]);
		for (const [n, file] of (playable?.files ?? []).entries()) {
			const same = (await bytes(file)).equals(before[n] as Buffer);
			expect([file, same]).toEqual([file, !["hls/master.m3u8", "dash/manifest.mpd"].includes(file)]);
		}
		expect(made.renditions.map(({ name }) => name)).toEqual(["h264_720", "h264_1080"]);
		const encodes = made.report.encodes as { renditions: string[]; seconds: number }[];
		expect(encodes.map(({ renditions }) => renditions).sort()).toEqual([["h264_1080"], ["h264_720"]]);
		for (const { seconds } of encodes) expect(seconds).toBeGreaterThan(0);
		expect(await streamsOf(join(directory, "web.mp4"))).toMatchObject([{ height: 1080 }, { codec_type: "audio" }]);
	});
});
