import { createReadStream } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import * as hls from "hls-parser";
import { Parser } from "m3u8-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MediaError, processVideo, type SourceProbe } from "../src/index.ts";
import { type Made, made } from "./support/made.ts";
import { codecsOf, ratesOf } from "./support/playlists.ts";
import {
	clip,
	decodes,
	type Folder,
	job,
	keyFrameTimes,
	lavfi,
	openFolder,
	program,
	streamsOf,
	tools,
} from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

async function bytesOf(path: string, { offset, length }: { offset: number; length: number }): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of createReadStream(path, { start: offset, end: offset + length - 1 }))
		chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

const boxType = (bytes: Buffer): string => bytes.toString("latin1", 4, 8);

describe("the bundled clip, with every output", () => {
	let directory: string;
	let clipMade: Made;
	const text = (file: string) => readFile(join(directory, file), "utf8");

	beforeAll(async () => {
		clipMade = await made("the bundled clip");
		({ directory } = clipMade);
	});

	it("makes every file, and nothing that is not declared", async () => {
		const playlists = ["audio", "av1_404", "av1_404_iframes", "h264_404", "h264_404_iframes", "master"];
		const expected = ["dash/manifest.mpd", ...playlists.map((name) => `hls/${name}.m3u8`)];
		expect(clipMade.files).toEqual([
			...expected,
			"media/audio.m4a",
			"media/av1_404.mp4",
			"media/h264_404.mp4",
			"og.jpg",
			"poster.jpg",
			"storyboard.vtt",
			"storyboard/00001.jpg",
			"web.mp4",
		]);
		const found = await readdir(directory, { recursive: true, withFileTypes: true });
		expect(
			found
				.filter((entry) => entry.isFile())
				.map((entry) => posix.relative(directory, join(entry.parentPath, entry.name)))
				.sort(),
		).toEqual(clipMade.files);
	});

	it("says what it made", () => {
		const bitrate = expect.any(Number);
		expect(clipMade.renditions).toEqual([
			{ name: "h264_404", codec: "h264", width: 720, height: 404, bitrate },
			{ name: "av1_404", codec: "av1", width: 720, height: 404, bitrate },
		]);
		expect(clipMade.media).toEqual({ duration_seconds: 7.6, width: 720, height: 404 });
		expect(clipMade.report).toMatchObject({ source: { video_codec: "h264", audio_codec: "aac", frame_rate: 25 } });
		const steps = clipMade.report.steps as { step: string; seconds: number }[];
		expect(steps.map(({ step }) => step)).toEqual(["look", "encode", "package"]);
		for (const { seconds } of steps) expect(seconds).toBeGreaterThan(0);
		const together = { renditions: ["h264_404", "av1_404"], started_seconds: 0, seconds: expect.any(Number) };
		expect(clipMade.report.encodes).toEqual([together]);
	});

	it("reports whole percents that never fall and end at 100, and the probe once", () => {
		const { progress, probes } = clipMade;
		expect(progress.at(-1)).toBe(100);
		expect(progress.length).toBeGreaterThan(5);
		expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
		expect(progress.every(Number.isInteger)).toBe(true);
		const whole = { renditions: ["h264_404", "av1_404"], progress: 100, seconds: expect.any(Number) };
		expect(clipMade.encodes).toEqual([{ ...whole, startedAt: expect.any(Number) }]);
		expect(probes).toHaveLength(1);
	});

	it("makes pictures and sound that decode without a complaint", async () => {
		for (const file of clipMade.files.filter((name) => /\.(mp4|m4a|jpg)$/.test(name)))
			await decodes(join(directory, file));
	});

	it("writes a master playlist whose every attribute is true", async () => {
		const master = hls.parse(await text("hls/master.m3u8")) as hls.types.MasterPlaylist;
		expect(master.isMasterPlaylist).toBe(true);
		expect(master.independentSegments).toBe(true);
		const variants = master.variants.filter((one) => !one.isIFrameOnly);
		expect(variants.map(({ uri }) => uri)).toEqual(["h264_404.m3u8", "av1_404.m3u8", "audio.m3u8"]);
		const sound = await codecsOf(join(directory, "media/audio.m4a"));
		const alone = variants.pop();
		expect(alone).toMatchObject({ codecs: sound, audio: [{ uri: "audio.m3u8" }] });
		expect(alone?.resolution ?? alone?.frameRate ?? null).toBeNull();
		const { peak, average } = ratesOf(hls.parse(await text("hls/audio.m3u8")) as hls.types.MediaPlaylist);
		expect(alone).toMatchObject({ bandwidth: peak, averageBandwidth: average });
		for (const variant of variants) {
			const file = join(directory, "media", variant.uri.replace("m3u8", "mp4"));
			expect(variant.codecs).toBe(`${await codecsOf(file)},${sound}`);
			expect(variant.resolution).toEqual({ width: 720, height: 404 });
			expect(variant.frameRate).toBe(25);
			expect(variant.audio[0]).toMatchObject({ uri: "audio.m3u8", isDefault: true, channels: "1" });
			const rates = await Promise.all(
				[variant.uri, "audio.m3u8"].map(async (uri) =>
					ratesOf(hls.parse(await text(`hls/${uri}`)) as hls.types.MediaPlaylist),
				),
			);
			expect(variant.averageBandwidth).toBe(rates.reduce((sum, { average }) => sum + average, 0));
			expect(variant.bandwidth).toBe(rates.reduce((sum, { peak }) => sum + peak, 0));
			expect(variant.bandwidth).toBeGreaterThan(variant.averageBandwidth ?? 0);
		}
	});

	it("writes media playlists whose byte ranges are the segments, from the header to the last", async () => {
		for (const name of ["audio", "av1_404", "h264_404"]) {
			const playlist = await text(`hls/${name}.m3u8`);
			const { segments } = hls.parse(playlist) as hls.types.MediaPlaylist;
			const file = posix.join(directory, "hls", segments[0]?.uri ?? "");
			const map = segments[0]?.map;
			expect(map?.uri).toBe(segments[0]?.uri);
			expect(boxType(await bytesOf(file, map?.byterange as { offset: number; length: number }))).toBe("ftyp");
			let end: number | undefined;
			for (const { byterange } of segments) {
				const bytes = await bytesOf(file, byterange);
				expect(boxType(bytes)).toBe("moof");
				expect(bytes.subarray(bytes.readUInt32BE(0)).toString("latin1", 4, 8)).toBe("mdat");
				if (end !== undefined) expect(byterange.offset).toBe(end);
				end = byterange.offset + byterange.length;
			}
			expect(boxType(await bytesOf(file, { offset: end ?? 0, length: 8 }))).toBe("mfra");
			expect(segments.reduce((sum, segment) => sum + segment.duration, 0)).toBeCloseTo(7.6, 1);
			// What a player gets when it puts header and segments together must be the whole stream.
			expect(playlist).toContain("#EXT-X-PLAYLIST-TYPE:VOD");
			expect(playlist).toContain("#EXT-X-ENDLIST");
		}
	});

	it("writes playlists that a second parser reads alike", async () => {
		for (const name of ["audio", "av1_404", "h264_404"]) {
			const parser = new Parser();
			parser.push(await text(`hls/${name}.m3u8`));
			parser.end();
			const { segments, targetDuration, endList } = parser.manifest;
			expect(endList).toBe(true);
			expect(segments).toHaveLength(4);
			expect(Math.max(...segments.map(({ duration }) => Math.round(duration)))).toBeLessThanOrEqual(targetDuration);
			expect(segments[0]?.byterange.offset).toBeGreaterThan(segments[0]?.map.byterange.length ?? Number.NaN);
		}
	});

	it("makes HLS that ffmpeg plays to its end", async () => {
		const shown = ["-show_entries", "format=duration", "-of", "csv=p=0"];
		const seconds = await program("ffprobe", ...shown, join(directory, "hls/h264_404.m3u8"));
		expect(Number(seconds)).toBeCloseTo(7.6, 1);
		await decodes(join(directory, "hls/master.m3u8"));
	});

	it("puts key frames at the same moments in every rendition, two seconds apart", async () => {
		expect(await keyFrameTimes(join(directory, "media/h264_404.mp4"))).toEqual([0, 2, 4, 6]);
		expect(await keyFrameTimes(join(directory, "media/av1_404.mp4"))).toEqual([0, 2, 4, 6]);
	});

	it("writes a DASH manifest over the same files, whose ranges are header and index", async () => {
		const manifest = await text("dash/manifest.mpd");
		const pattern =
			/<BaseURL>([^<]+)<\/BaseURL>\s*<SegmentBase indexRange="(\d+)-(\d+)"><Initialization range="0-(\d+)"\/>/g;
		const representations = [...manifest.matchAll(pattern)];
		expect(representations.map(([, url]) => url)).toEqual([
			"../media/h264_404.mp4",
			"../media/av1_404.mp4",
			"../media/audio.m4a",
		]);
		for (const [, url = "", from, to, last] of representations) {
			const index = await bytesOf(posix.join(directory, "dash", url), {
				offset: Number(from),
				length: Number(to) - Number(from) + 1,
			});
			expect(boxType(index)).toBe("sidx");
			expect(index.readUInt32BE(0)).toBe(index.length);
			expect(Number(last)).toBe(Number(from) - 1);
		}
	});

	it("makes web.mp4 of the same pictures, with its index in front", async () => {
		const frames = (file: string) =>
			program("ffmpeg", "-i", join(directory, file), "-map", "0:v", "-f", "framemd5", "-").then((all) =>
				all.split("\n").flatMap((line) => line.split(",")[5] ?? []),
			);
		expect(await frames("web.mp4")).toEqual(await frames("media/h264_404.mp4"));
		const bytes = await readFile(join(directory, "web.mp4"));
		expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
		expect((await streamsOf(join(directory, "web.mp4"))).map((stream) => stream.codec_name)).toEqual(["h264", "aac"]);
	});

	it("makes og.jpg of 1200x630 that shows something, and poster.jpg of the same picture in its own shape", async () => {
		expect(await streamsOf(join(directory, "poster.jpg"))).toMatchObject([
			{ codec_name: "mjpeg", width: 720, height: 404, sample_aspect_ratio: "1:1" },
		]);
		expect(await streamsOf(join(directory, "og.jpg"))).toMatchObject([
			{ codec_name: "mjpeg", width: 1200, height: 630 },
		]);
		const tags = ["YAVG", "YHIGH", "YLOW"].map((tag) => `lavfi.signalstats.${tag}`).join();
		const shown = ["-show_entries", `frame_tags=${tags}`, "-of", "csv=p=0"];
		const statistics = await program("ffprobe", ...lavfi(`movie=${join(directory, "og.jpg")},signalstats`), ...shown);
		const [low = 0, , high = 0] = statistics.split(",").map(Number);
		expect(high - low).toBeGreaterThan(50);
	});
});

describe("a source without sound", () => {
	it("has no sound in any output", async () => {
		const source = await folder.source("silent.mp4", { size: "160x90", rate: "10", sound: false });
		const directory = folder.outputs();
		const { files } = await processVideo({ source, directory, tools, job: job() });
		expect(files).toEqual([
			"hls/h264_90.m3u8",
			"hls/h264_90_iframes.m3u8",
			"hls/master.m3u8",
			"media/h264_90.mp4",
			"og.jpg",
			"poster.jpg",
			"storyboard.vtt",
			"storyboard/00001.jpg",
			"web.mp4",
		]);
		expect(await readFile(join(directory, "hls/master.m3u8"), "utf8")).not.toMatch(/AUDIO|mp4a/);
		expect(await streamsOf(join(directory, "web.mp4"))).toHaveLength(1);
	});
});

describe("a run that can't succeed", () => {
	it("rejects with the reason if the source is longer than allowed, and has told the probe", async () => {
		const probes: SourceProbe[] = [];
		const options = { source: clip, directory: folder.outputs(), tools, job: job(["h264_720"], {}, 5) };
		const failure = await processVideo({ ...options, onProbe: (probe) => probes.push(probe) }).catch(
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(MediaError);
		expect(failure).toMatchObject({ reason: "duration_too_long" });
		expect(probes).toMatchObject([{ durationSeconds: 7.6 }]);
	});

	it("kills ffmpeg and rejects with the signal's reason when aborted in the middle", async () => {
		const source = await folder.source("long.mp4", { size: "160x90", rate: "10", seconds: 60 });
		const stop = new AbortController();
		const reason = new Error("no longer wanted");
		const directory = folder.outputs();
		const running = processVideo({
			source,
			directory,
			tools,
			job: job(["av1_720"]),
			signal: stop.signal,
			onProgress: (percent) => percent > 5 && stop.abort(reason),
		});
		await expect(running).rejects.toBe(reason);
		expect(await processesOf(directory)).toEqual([]);
	});

	it("kills ffmpeg when it takes longer than allowed", async () => {
		const directory = folder.outputs();
		const ffmpeg = folder.path("standing-ffmpeg");
		const script = '#!/bin/sh\ncase "$*" in *libx264*) exec sleep 86395;; esac\nexec ffmpeg "$@"\n';
		await writeFile(ffmpeg, script, { mode: 0o755 });
		const running = processVideo({
			...{ source: clip, directory, tools: { ...tools, ffmpeg, confinement: "off" }, job: job() },
			// What comes before the encode takes its time on a busy machine, and none of it may be what is killed.
			maxSeconds: 20,
		});
		await expect(running).rejects.toThrow("ffmpeg took longer than the 20 s allowed.");
		expect(await processesOf("sleep\x0086395")).toEqual([]);
	});
});

/** Running programs whose command line mentions a folder. */
async function processesOf(text: string): Promise<string[]> {
	const lines = await Promise.all(
		(await readdir("/proc"))
			.filter((name) => /^\d+$/.test(name))
			.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
	);
	return lines.filter((line) => line.includes(text));
}
