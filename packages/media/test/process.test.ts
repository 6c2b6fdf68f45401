import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import * as hls from "hls-parser";
import { Parser } from "m3u8-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MediaError, type Processed, processVideo, type SourceProbe } from "../src/index.ts";
import { codecsOf, ratesOf } from "./support/playlists.ts";
import {
	clip,
	decodes,
	everything,
	type Folder,
	job,
	keyFrameTimes,
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
	let made: Processed;
	const progress: number[] = [];
	const probes: SourceProbe[] = [];
	const text = (file: string) => readFile(join(directory, file), "utf8");

	beforeAll(async () => {
		directory = folder.outputs();
		made = await processVideo({
			...{ source: clip, directory, tools, job: job(["h264_720", "h264_1080", "av1_720", "av1_1080"], everything) },
			onProgress: (percent) => progress.push(percent),
			onProbe: (probe) => probes.push(probe),
		});
	});

	it("makes every file, and nothing that is not declared", async () => {
		const playlists = ["audio", "av1_404", "av1_404_iframes", "h264_404", "h264_404_iframes", "master"];
		const expected = ["dash/manifest.mpd", ...playlists.map((name) => `hls/${name}.m3u8`)];
		expect(made.files).toEqual([
			...expected,
			"media/audio.m4a",
			"media/av1_404.mp4",
			"media/h264_404.mp4",
			"og.jpg",
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
		).toEqual(made.files);
	});

	it("says what it made", () => {
		const bitrate = expect.any(Number);
		expect(made.renditions).toEqual([
			{ name: "h264_404", codec: "h264", width: 720, height: 404, bitrate },
			{ name: "av1_404", codec: "av1", width: 720, height: 404, bitrate },
		]);
		expect(made.media).toEqual({ duration_seconds: 7.6, width: 720, height: 404 });
		expect(made.report).toMatchObject({ source: { video_codec: "h264", audio_codec: "aac", frame_rate: 25 } });
		const steps = made.report.steps as { step: string; seconds: number }[];
		expect(steps.map(({ step }) => step)).toEqual(["look", "encode", "package"]);
		for (const { seconds } of steps) expect(seconds).toBeGreaterThan(0);
	});

	it("reports whole percents that never fall and end at 100, and the probe once", () => {
		expect(progress.at(-1)).toBe(100);
		expect(progress.length).toBeGreaterThan(5);
		expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
		expect(progress.every(Number.isInteger)).toBe(true);
		expect(probes).toHaveLength(1);
	});

	it("makes pictures and sound that decode without a complaint", async () => {
		for (const file of made.files.filter((name) => /\.(mp4|m4a|jpg)$/.test(name))) await decodes(join(directory, file));
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
		const seconds = await program(
			"ffprobe",
			"-show_entries",
			"format=duration",
			"-of",
			"csv=p=0",
			join(directory, "hls/h264_404.m3u8"),
		);
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

	it("makes og.jpg of 1200x630 that shows something", async () => {
		expect(await streamsOf(join(directory, "og.jpg"))).toMatchObject([
			{ codec_name: "mjpeg", width: 1200, height: 630 },
		]);
		const statistics = await program(
			"ffprobe",
			"-f",
			"lavfi",
			"-i",
			`movie=${join(directory, "og.jpg")},signalstats`,
			"-show_entries",
			"frame_tags=lavfi.signalstats.YAVG,lavfi.signalstats.YHIGH,lavfi.signalstats.YLOW",
			"-of",
			"csv=p=0",
		);
		const [low = 0, , high = 0] = statistics.split(",").map(Number);
		expect(high - low).toBeGreaterThan(50);
	});
});

describe("sources of every kind", () => {
	const run = async (source: string, renditions = ["h264_720"], outputs = {}) => {
		const directory = folder.outputs();
		const made = await processVideo({ source, directory, tools, job: job(renditions, outputs) });
		return { directory, made, streams: (file: string) => streamsOf(join(directory, file)) };
	};

	it("720p gives one rung a codec, whose CODECS are exact", async () => {
		const { made, directory } = await run(await folder.source("720.mp4", { size: "1280x720", seconds: 2.2 }), [
			"h264_720",
			"h264_1080",
			"av1_720",
			"av1_1080",
		]);
		expect(made.renditions.map(({ name, width, height }) => [name, width, height])).toEqual([
			["h264_720", 1280, 720],
			["av1_720", 1280, 720],
		]);
		const master = await readFile(join(directory, "hls/master.m3u8"), "utf8");
		for (const name of ["h264_720", "av1_720"])
			expect(master).toContain(`CODECS="${await codecsOf(join(directory, `media/${name}.mp4`))},mp4a.40.2"`);
		expect(await keyFrameTimes(join(directory, "media/av1_720.mp4"))).toEqual(
			await keyFrameTimes(join(directory, "media/h264_720.mp4")),
		);
	});

	it("a clip turned by a phone is upright, with nothing left to turn", async () => {
		const flat = await folder.source("flat.mp4", { sound: false });
		await program("ffmpeg", "-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90", folder.path("phone.mp4"));
		const { made, streams } = await run(folder.path("phone.mp4"));
		expect(made.media).toMatchObject({ width: 180, height: 320 });
		expect(made.renditions).toMatchObject([{ name: "h264_180", width: 180, height: 320 }]);
		const [video] = await streams("web.mp4");
		expect(video).toMatchObject({ width: 180, height: 320, sample_aspect_ratio: "1:1" });
		expect(video).not.toHaveProperty("side_data_list");
		expect(made.report).toMatchObject({
			decisions: expect.arrayContaining([expect.objectContaining({ about: "rotation" })]),
		});
	});

	it("a source without sound has no sound in any output", async () => {
		const { made, directory, streams } = await run(await folder.source("silent.mp4", { sound: false }));
		expect(made.files).toEqual([
			"hls/h264_180.m3u8",
			"hls/h264_180_iframes.m3u8",
			"hls/master.m3u8",
			"media/h264_180.mp4",
			"og.jpg",
			"storyboard.vtt",
			"storyboard/00001.jpg",
			"web.mp4",
		]);
		expect(await readFile(join(directory, "hls/master.m3u8"), "utf8")).not.toMatch(/AUDIO|mp4a/);
		expect(await streams("web.mp4")).toHaveLength(1);
	});

	it("uneven frames become even ones, over the whole length", async () => {
		const { directory, made } = await run(
			await folder.source("vfr.mp4", {
				rate: "30",
				args: ["-vf", "select='lt(n,20)+not(mod(n,2))'", "-fps_mode", "vfr"],
			}),
		);
		const times = (
			await program(
				"ffprobe",
				"-select_streams",
				"v",
				"-show_entries",
				"packet=pts_time",
				"-of",
				"csv=p=0",
				join(directory, "web.mp4"),
			)
		)
			.trim()
			.split("\n")
			.map(Number);
		const gaps = times
			.sort((a, b) => a - b)
			.slice(1)
			.map((time, n) => time - (times[n] ?? 0));
		expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(0.002);
		expect(made.media.duration_seconds).toBeCloseTo(2, 0);
	});

	it("NTSC's rate keeps whole frame times", async () => {
		const { directory } = await run(await folder.source("ntsc.mp4", { rate: "24000/1001", sound: false }));
		expect((await streamsOf(join(directory, "media/h264_180.mp4")))[0]).toMatchObject({
			r_frame_rate: "24000/1001",
			avg_frame_rate: "24000/1001",
		});
		expect(await readFile(join(directory, "hls/master.m3u8"), "utf8")).toContain("FRAME-RATE=23.976");
	});

	it("only AV1 still gives a web.mp4 of H.264, which HLS does not list", async () => {
		const { made, streams } = await run(await folder.source("modern.mp4", { seconds: 1 }), ["av1_720"]);
		expect(made.renditions.map(({ name }) => name)).toEqual(["av1_180"]);
		expect(made.files.filter((file) => /h264/.test(file))).toEqual([]);
		expect((await streams("web.mp4"))[0]?.codec_name).toBe("h264");
	});

	it("neither HLS nor DASH leaves web.mp4 and its pictures alone", async () => {
		const { made } = await run(await folder.source("plain.mp4", { seconds: 1 }), ["h264_720", "av1_720"], {
			hls: false,
		});
		expect(made.files).toEqual(["og.jpg", "storyboard.vtt", "storyboard/00001.jpg", "web.mp4"]);
		expect(made.renditions.map(({ name }) => name)).toEqual(["h264_180"]);
	});

	it("sound and picture stay in step: a flash and a beep at one second", async () => {
		const flash = "color=black:size=320x180:rate=25:duration=2,drawbox=color=white:t=fill:enable='between(t,1,1.3)'";
		const beep = "aevalsrc='if(between(t,1,1.3),sin(2*PI*1000*t),0)':duration=2:sample_rate=44100";
		const source = await folder.source("sync.mp4", { inputs: ["-f", "lavfi", "-i", flash, "-f", "lavfi", "-i", beep] });
		const { directory } = await run(source);
		for (const file of ["media/audio.m4a", "web.mp4"]) {
			const raw = folder.path("sound.raw");
			await program(
				"ffmpeg",
				"-y",
				// ffmpeg counts the time of a track alone from the samples that its edit list hides.
				"-copyts",
				"-i",
				join(directory, file),
				"-map",
				"0:a",
				"-af",
				"aresample=async=1:first_pts=0",
				"-ac",
				"1",
				"-ar",
				"48000",
				"-f",
				"s16le",
				raw,
			);
			const samples = await readFile(raw);
			let onset = 0;
			while (onset < samples.length && Math.abs(samples.readInt16LE(onset)) < 3000) onset += 2;
			expect(onset / 2 / 48_000).toBeGreaterThan(0.985);
			expect(onset / 2 / 48_000).toBeLessThan(1.015);
		}
		const light = await program(
			"ffmpeg",
			"-i",
			join(directory, "web.mp4"),
			"-vf",
			"scale=1:1,format=gray",
			"-f",
			"rawvideo",
			"-fps_mode",
			"passthrough",
			"-map",
			"0:v",
			folder.path("light.raw"),
		).then(() => readFile(folder.path("light.raw")));
		expect(light.findIndex((value) => value > 128)).toBe(25);
		// The thumbnail shows neither the black nor the white: no key frame has any contrast, so any will do; but it is
		// made.
		await decodes(join(directory, "og.jpg"));
	});

	it("HDR becomes SDR, and says so", async () => {
		const hdr = [
			"-c:v",
			"libx265",
			"-preset",
			"ultrafast",
			"-pix_fmt",
			"yuv420p10le",
			"-x265-params",
			"log-level=none",
		];
		const tags = ["-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc"];
		const { streams } = await run(
			await folder.source("hdr.mp4", { seconds: 1, sound: false, args: [...hdr, ...tags] }),
		);
		const colours = { color_primaries: "bt709", color_transfer: "bt709", color_space: "bt709", color_range: "tv" };
		expect((await streams("web.mp4"))[0]).toMatchObject({ pix_fmt: "yuv420p", ...colours });
	});

	it("sound that goes on after the last picture is kept, over a still", async () => {
		const inputs = [
			"-f",
			"lavfi",
			"-i",
			"testsrc2=size=320x180:rate=25:duration=1",
			"-f",
			"lavfi",
			"-i",
			"sine=duration=2",
		];
		const { directory, made } = await run(await folder.source("long-sound.mp4", { inputs }));
		expect(made.media.duration_seconds).toBeCloseTo(2, 1);
		for (const stream of await streamsOf(join(directory, "web.mp4"))) expect(Number(stream.duration)).toBeCloseTo(2, 0);
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
		const source = await folder.source("long.mp4", { size: "1280x720", seconds: 8 });
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
		const running = processVideo({
			source: folder.path("long.mp4"),
			directory,
			tools,
			job: job(["av1_720"]),
			maxSeconds: 3,
		});
		await expect(running).rejects.toThrow("ffmpeg took longer than the 3 s allowed.");
		expect(await processesOf(directory)).toEqual([]);
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
