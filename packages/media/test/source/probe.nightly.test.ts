import { chmod, readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probe } from "../../src/index.ts";
import { openPrograms, type Programs } from "../../src/run/programs.ts";
import { probeWith } from "../../src/source/probe.ts";
import { clip, type Folder, lavfi, openFolder, probeAgain, program, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** Puts a box at the end of the first box that these types lead to, behind all samples. */
function within(file: Buffer, types: readonly string[], box: Buffer): Buffer {
	const bytes = Buffer.from(file);
	let [at, end] = [0, 0];
	for (const type of types) {
		at = bytes.indexOf(type, at) - 4;
		const size = bytes.readUInt32BE(at);
		bytes.writeUInt32BE(size + box.length, at);
		[at, end] = [at + 8, at + size];
	}
	return Buffer.concat([bytes.subarray(0, end), box, bytes.subarray(end)]);
}

describe("a good source", () => {
	it("is measured: the bundled clip", async () => {
		expect(await probe(clip, tools)).toMatchObject({
			container: "mov",
			durationSeconds: 7.6,
			width: 720,
			height: 404,
			video: { codec: "h264", frameRate: 25, variableFrameRate: false, rotation: 0 },
			audio: { codec: "aac", channels: 1 },
		});
	});

	it("is known by its bytes, whatever its name", async () => {
		const made = await folder.source("a.mov", { seconds: 1 });
		await rename(made, folder.path("a.avi"));
		const found = await probeAgain(folder.path("a.avi"));
		expect(found).toMatchObject({ container: "mov", width: 320, height: 180 });
		expect(found.audio).not.toBeNull();
	});

	it.each([
		["matroska", "a.mkv", []],
		["matroska", "a.webm", []],
		["mpegts", "a.ts", []],
		["mpeg", "a.mpg", ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"]],
		["avi", "a.avi", ["-c:v", "mpeg4", "-c:a", "mp2"]],
		["flv", "a.flv", ["-ar", "44100"]],
	] as const)("is known by its bytes, whatever its name: %s", async (container, name, args) => {
		const made = await folder.source(name, { seconds: 1, args: [...args] });
		const found = await probeAgain(made);
		expect(found).toMatchObject({ container, width: 320, height: 180 });
		expect(found.video.frameRate).toBeCloseTo(25, 0);
		expect(found.durationSeconds).toBeGreaterThan(0.95);
		expect(found.durationSeconds).toBeLessThan(1.15);
		expect(found.audio).not.toBeNull();
	});

	it("has the size it is displayed at: turned by a phone", async () => {
		const upright = await folder.source("upright.mp4", { seconds: 1 });
		await program("ffmpeg", "-i", upright, "-c", "copy", "-metadata:s:v:0", "rotate=90", folder.path("rotated.mp4"));
		expect(await probeAgain(folder.path("rotated.mp4"))).toMatchObject({
			width: 180,
			height: 320,
			video: { width: 320, height: 180 },
		});
	});

	it("has the size it is displayed at: pixels that are not square", async () => {
		const wide = await folder.source("wide.mp4", { size: "320x240", seconds: 1, args: ["-vf", "setsar=4/3"] });
		expect(await probeAgain(wide)).toMatchObject({ width: 427, height: 240 });
	});

	it("has its tags left unread, which may be longer than memory", async () => {
		const told = await folder.source("told.mp4", {
			seconds: 1,
			args: ["-metadata", `comment=${"long ".repeat(20_000)}`],
		});
		const programs = await openPrograms(tools);
		let bytes = 0;
		const counting: Programs = {
			run: (program, args, options) =>
				programs.run(program, args, {
					...options,
					onOutput: (piece) => {
						bytes += piece.length;
						options?.onOutput?.(piece);
					},
				}),
		};
		await probeWith({ programs: counting }, told);
		expect(bytes).toBeGreaterThan(0);
		expect(bytes).toBeLessThan(20_000);
	});

	it("has the language and a short title of each sound", async () => {
		const title = (n: number, text: string) => [`-metadata:s:a:${n}`, `title=${text}`];
		const found = await probeAgain(
			await folder.source("sounds.mkv", {
				inputs: lavfi("testsrc2=size=64x64:rate=10:duration=1", ...[400, 500, 600].map((f) => `sine=f=${f}:d=1`)),
				args: [
					...["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-metadata:s:a:0", "language=ger"],
					...[...title(0, 'A "title"\nof <two> lines'), ...title(1, "long ".repeat(20_000))],
				],
			}),
		);
		expect(found.audio).toMatchObject({ language: "de", title: "A title of two lines" });
		expect(found.furtherAudio).toHaveLength(2);
		expect(found.furtherAudio[0]?.title).toHaveLength(59);
		expect(found.furtherAudio[1]).toMatchObject({ language: null, title: null });
	});

	it("has no titles if they are longer than a thousand names would be", async () => {
		const tags = folder.path("tags.txt");
		await writeFile(tags, `;FFMETADATA1\n[STREAM]\n[STREAM]\nlanguage=fra\ntitle=${"long ".repeat(400_000)}\n`);
		const plain = await folder.source("plain.mkv", { size: "64x64", seconds: 1 });
		const told = folder.path("titled.mkv");
		await program("ffmpeg", "-i", plain, "-i", tags, "-map", "0", "-map_metadata:s:a", "1:s:1", "-c", "copy", told);
		expect((await stat(told)).size).toBeGreaterThan(2_000_000);
		expect((await probeAgain(told)).audio).toMatchObject({ codec: "vorbis", language: null, title: null });
	});

	it("has a length and a rate if its header has neither", async () => {
		// As browsers record: no duration in the header, since it was written before it was known.
		const webm = await folder.source("whole.webm", { seconds: 2 });
		await program("ffmpeg", "-i", webm, "-c", "copy", "-f", "webm", "-live", "1", folder.path("live.webm"));
		const found = await probeAgain(folder.path("live.webm"));
		expect(found.durationSeconds).toBeCloseTo(2, 1);
		expect(found.video.frameRate).toBeCloseTo(25, 0);
	});

	it("has an average rate if its frames come unevenly", async () => {
		const uneven = await folder.source("uneven.mp4", {
			seconds: 2,
			args: ["-vf", "select='lt(n,20)+not(mod(n,3))'", "-fps_mode", "vfr"],
		});
		const { video } = await probeAgain(uneven);
		expect(video.variableFrameRate).toBe(true);
		expect(video.frameRate).toBeGreaterThan(12);
		expect(video.frameRate).toBeLessThan(20);
	});

	it("keeps its rate if a few frames are missing", async () => {
		const holed = await folder.source("holed.mp4", {
			seconds: 4,
			args: ["-vf", "select='not(between(n,50,57))'", "-fps_mode", "vfr"],
		});
		const { video } = await probeAgain(holed);
		expect(video.variableFrameRate).toBe(true);
		expect(video.frameRate).toBeCloseTo(25, 3);
	});

	it("says in which seconds its bytes are, counted from its beginning", async () => {
		const args = ["-vf", "drawbox=color=black:thickness=fill:enable='gte(t,3)'", "-g", "25", "-output_ts_offset", "7"];
		const { video } = await probeAgain(await folder.source("still-then.mkv", { seconds: 6, args }));
		expect(video.bytesBySecond.map(([second]) => second)).toEqual([0, 1, 2, 3, 4, 5]);
		const shown = ["-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0"];
		const sizes = await program("ffprobe", ...shown, folder.path("still-then.mkv"));
		const bytes = video.bytesBySecond.map(([, count]) => count);
		expect(bytes.reduce((sum, one) => sum + one)).toBe(
			sizes
				.trim()
				.split(/\s+/)
				.reduce((sum, size) => sum + Number.parseInt(size, 10), 0),
		);
		expect(Math.min(...bytes.slice(0, 3))).toBeGreaterThan(10 * Math.max(...bytes.slice(3)));
	});

	it("has a picture and a sound of which the first comes late", async () => {
		const plain = await folder.source("early.mkv", { size: "64x64", seconds: 9 });
		const late = async (name: string, first: string, second: string) => {
			const maps = ["-i", plain, "-itsoffset", "7", "-i", plain, "-map", `0:${first}`, "-map", `1:${second}`];
			await program(
				"ffmpeg",
				"-y",
				...maps,
				"-c",
				"copy",
				...(name.endsWith(".ts") ? ["-c:a", "aac"] : []),
				folder.path(name),
			);
			return probeAgain(folder.path(name));
		};
		const picture = await late("late-picture.mkv", "a", "v");
		expect(picture).toMatchObject({ width: 64, height: 64, durationSeconds: expect.closeTo(16, 1) });
		expect(picture.video.startSeconds).toBeCloseTo(7, 1);
		const sound = await late("late-sound.ts", "v", "a");
		expect(sound.audio).toMatchObject({ channels: 1, startSeconds: expect.closeTo(7, 0) });
	});

	it("is made of fields if its first pictures are, also where sound comes first", async () => {
		// Its header says progressive.
		const fields = ["-preset", "veryfast", "-flags", "+ilme+ildct"];
		const whole = await folder.source("fields.mkv", {
			inputs: lavfi("testsrc2=size=160x96:rate=50:duration=1,tinterlace=interleave_top,fieldorder=tff"),
			args: fields,
		});
		const source = folder.path("late-fields.mkv");
		const inputs = [...lavfi("sine=duration=3"), "-itsoffset", "2", "-i", whole];
		await program("ffmpeg", ...inputs, "-map", "0", "-map", "1", "-c:v", "copy", source);
		for (const path of [whole, source]) expect((await probeAgain(path)).video.interlaced, path).toBe(true);
	});

	it("follows the clock of the film behind a still picture", async () => {
		const inputs = lavfi("color=red:size=64x64:rate=25:duration=0.04", "testsrc2=size=64x64:rate=25:duration=3");
		const maps = ["-map", "0", "-map", "1", "-map", "2"];
		const part = (name: string, offset: string) =>
			folder.source(name, {
				inputs: [...inputs, ...lavfi("sine=duration=3")],
				args: [...maps, "-output_ts_offset", offset],
			});
		const parts = [await part("still-1.ts", "60"), await part("still-2.ts", "0")];
		await writeFile(folder.path("stills.ts"), Buffer.concat(await Promise.all(parts.map((path) => readFile(path)))));
		const found = await probeAgain(folder.path("stills.ts"));
		expect(found.video.index).toBe(1);
		expect(found.durationSeconds).toBeCloseTo(6, 1);
	});

	it("may have no sound", async () => {
		expect((await probeAgain(await folder.source("mute.mp4", { seconds: 1, sound: false }))).audio).toBeNull();
	});
});

describe("a bad source", () => {
	const secret = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n";
	it.each([
		["an empty file", ""],
		["a text", "This is no video.\n".repeat(200)],
		["a playlist of a local file", `${secret}file://${clip}\n#EXT-X-ENDLIST\n`],
		["an ffconcat script of a local file", `ffconcat version 1.0\nfile '${clip}'\n`],
		["a DASH manifest", '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>'],
		["junk behind a header of MP4", `\0\0\0\x18ftypisom${"junk".repeat(500)}`],
		["junk behind a header of Matroska", `\x1aE\xdf\xa3${"junk".repeat(500)}`],
	])("is invalid_media: %s, named .mp4", async (_, content) => {
		const path = folder.path("bad.mp4");
		await writeFile(path, content, "latin1");
		await expect(probeAgain(path)).rejects.toMatchObject({ name: "MediaError", reason: "invalid_media" });
	});

	it("is invalid_media if it is cut off before its index", async () => {
		const path = await folder.source("headless.mp4");
		await truncate(path, 8000);
		await expect(probeAgain(path)).rejects.toMatchObject({ reason: "invalid_media" });
	});

	it("is invalid_media if it is cut off after its index, and says how much there is", async () => {
		const path = await folder.source("cut.mp4", { seconds: 4, args: ["-movflags", "+faststart"] });
		await truncate(path, 80_000);
		await expect(probeAgain(path)).rejects.toMatchObject({
			reason: "invalid_media",
			message: expect.stringMatching(/the file says 4\.0 s, but ends after [0-3]\.\d s/),
		});
	});

	it("is invalid_media if reading it takes five seconds of processor time", async () => {
		const lost = folder.path("lost-ffprobe");
		await writeFile(lost, '#!/bin/sh\ncase "$*" in *-version*) exit;; esac\nwhile :; do :; done\n');
		await chmod(lost, 0o755);
		const probing = probe(clip, { ...tools, ffprobe: lost, confinement: "off" });
		await expect(probing).rejects.toMatchObject({
			reason: "invalid_media",
			message: expect.stringContaining("takes too long to read"),
		});
	});

	it("is no_video_stream if there is only sound", async () => {
		await program("ffmpeg", ...lavfi("sine=duration=1"), folder.path("sound.mp4"));
		await expect(probeAgain(folder.path("sound.mp4"))).rejects.toMatchObject({ reason: "no_video_stream" });
	});

	it("is no_video_stream if the only picture is cover art", async () => {
		const inputs = [...lavfi("sine=duration=1", "color=red:size=64x64:duration=0.04"), "-map", "0", "-map", "1"];
		const cover = ["-c:v", "mjpeg", "-frames:v", "1", "-disposition:v:0", "attached_pic"];
		await program("ffmpeg", ...inputs, ...cover, folder.path("cover.mp4"));
		await expect(probeAgain(folder.path("cover.mp4"))).rejects.toMatchObject({ reason: "no_video_stream" });
	});

	it("is invalid_media if its colours are Dolby Vision's alone, and is taken if it has those of HDR10, too", async () => {
		const encode = [
			"-c:v",
			"libx265",
			"-preset",
			"ultrafast",
			"-pix_fmt",
			"yuv420p10le",
			"-x265-params",
			"log-level=none",
		];
		const plain = await readFile(
			await folder.source("hevc.mp4", { size: "160x90", seconds: 1, args: [...encode, "-tag:v", "hvc1"] }),
		);
		// Profile 5 and 8, level 3, with the data and the layer, compatible with nothing and with HDR10.
		const probed = [
			[0x0a, 0x1d, 0x00],
			[0x10, 0x1d, 0x10],
		].map(async ([profile, level, compatible], n) => {
			const record = Buffer.from([
				0,
				0,
				0,
				32,
				...Buffer.from("dvcC"),
				1,
				0,
				...[profile, level, compatible].map(Number),
				...Array(19).fill(0),
			]);
			const bytes = within(plain, ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1"], record);
			await writeFile(folder.path(`dolby-${n}.mp4`), bytes);
			return probeAgain(folder.path(`dolby-${n}.mp4`));
		});
		await expect(probed[0]).rejects.toMatchObject({
			reason: "invalid_media",
			message: expect.stringContaining("Dolby Vision"),
		});
		expect((await probed[1])?.video.codec).toBe("hevc");
	});

	it("is dimensions_too_large above 8K", async () => {
		const huge = lavfi("color=size=8192x4400:rate=1:duration=1");
		await program("ffmpeg", ...huge, "-c:v", "mjpeg", folder.path("huge.mov"));
		await expect(probeAgain(folder.path("huge.mov"))).rejects.toMatchObject({
			reason: "dimensions_too_large",
			size: { width: 8192, height: 4400 },
		});
	});
});

it("names the program that is missing", async () => {
	await expect(probe(clip, { ...tools, ffprobe: "/nonexistent/ffprobe" })).rejects.toThrow(
		"The program /nonexistent/ffprobe can't be found or run.",
	);
});

it("stops when told to, with the reason given", async () => {
	const reason = new Error("enough");
	await expect(probe(clip, tools, AbortSignal.abort(reason))).rejects.toBe(reason);
});
