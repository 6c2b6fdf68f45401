import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../src/index.ts";
import { codecsOf } from "./support/playlists.ts";
import {
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

	it("uneven frames become even ones, over the whole length", async () => {
		const { directory, made } = await run(
			await folder.source("vfr.mp4", {
				rate: "30",
				args: ["-vf", "select='lt(n,20)+not(mod(n,2))'", "-fps_mode", "vfr"],
			}),
		);
		const shown = ["-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"];
		const times = (await program("ffprobe", ...shown, join(directory, "web.mp4"))).trim().split("\n").map(Number);
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
		expect(made.files).toEqual(["og.jpg", "poster.jpg", "storyboard.vtt", "storyboard/00001.jpg", "web.mp4"]);
		expect(made.renditions.map(({ name }) => name)).toEqual(["h264_180"]);
	});

	it("sound and picture stay in step: a flash and a beep at one second", async () => {
		const flash = "color=black:size=320x180:rate=25:duration=2,drawbox=color=white:t=fill:enable='between(t,1,1.3)'";
		const beep = "aevalsrc='if(between(t,1,1.3),sin(2*PI*1000*t),0)':duration=2:sample_rate=44100";
		const source = await folder.source("sync.mp4", { inputs: lavfi(flash, beep) });
		const { directory } = await run(source);
		for (const file of ["media/audio.m4a", "web.mp4"]) {
			const raw = folder.path("sound.raw");
			const mono = ["-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "48000", "-f", "s16le"];
			// ffmpeg counts the time of a track alone from the samples that its edit list hides.
			await program("ffmpeg", "-y", "-copyts", "-i", join(directory, file), ...mono, raw);
			const samples = await readFile(raw);
			let onset = 0;
			while (onset < samples.length && Math.abs(samples.readInt16LE(onset)) < 3000) onset += 2;
			expect(onset / 2 / 48_000).toBeGreaterThan(0.985);
			expect(onset / 2 / 48_000).toBeLessThan(1.015);
		}
		const raw = folder.path("light.raw");
		const grey = ["-vf", "scale=1:1,format=gray", "-f", "rawvideo", "-fps_mode", "passthrough", "-map", "0:v"];
		await program("ffmpeg", "-i", join(directory, "web.mp4"), ...grey, raw);
		const light = await readFile(raw);
		expect(light.findIndex((value) => value > 128)).toBe(25);
		// The thumbnail shows neither the black nor the white: no key frame has any contrast, so any will do; but it is
		// made.
		await decodes(join(directory, "og.jpg"));
	});

	it("HDR becomes SDR, and says so", async () => {
		const x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"];
		const hdr = [...x265, "-pix_fmt", "yuv420p10le"];
		const tags = ["-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc"];
		const { streams } = await run(
			await folder.source("hdr.mp4", { seconds: 1, sound: false, args: [...hdr, ...tags] }),
		);
		const colours = { color_primaries: "bt709", color_transfer: "bt709", color_space: "bt709", color_range: "tv" };
		expect((await streams("web.mp4"))[0]).toMatchObject({ pix_fmt: "yuv420p", ...colours });
	});

	it("sound that goes on after the last picture is kept, over a still", async () => {
		const inputs = lavfi("testsrc2=size=320x180:rate=25:duration=1", "sine=duration=2");
		const { directory, made } = await run(await folder.source("long-sound.mp4", { inputs }));
		expect(made.media.duration_seconds).toBeCloseTo(2, 1);
		for (const stream of await streamsOf(join(directory, "web.mp4"))) expect(Number(stream.duration)).toBeCloseTo(2, 0);
	});
});
