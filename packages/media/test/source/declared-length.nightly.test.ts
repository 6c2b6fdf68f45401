import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeMezzanine, processVideo } from "../../src/index.ts";
import { type Folder, job, lavfi, openFolder, probeAgain, program, tools } from "../support/sources.ts";

let folder: Folder;
const seconds = 6;
const generated = lavfi(
	`testsrc2=size=160x90:rate=25:duration=${seconds}`,
	`sine=duration=${seconds}:sample_rate=48000`,
);
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25"];
const faststart = ["-movflags", "+faststart"];

/** How each file is encoded, by its name. The last ones declare no length. */
const files: Record<string, string[]> = {
	"index-first.mp4": [...x264, ...faststart],
	"index-first.mov": [...x264, ...faststart],
	"index-last.mp4": x264,
	"index-last.mov": x264,
	"fragmented.mp4": [...x264, "-movflags", "+frag_keyframe+delay_moov+global_sidx+cmaf"],
	"a.mkv": x264,
	"a.webm": ["-c:v", "libvpx", "-deadline", "realtime", "-g", "25"],
	"a.avi": ["-c:v", "mpeg4", "-c:a", "mp2"],
	"a.flv": [...x264, "-ar", "44100"],
	"a.wmv": ["-c:v", "wmv2", "-c:a", "wmav2"],
	"a.mxf": ["-c:v", "mpeg2video", "-c:a", "pcm_s16le"],
	"a.ts": x264,
	"a.mpg": ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"],
	"a.ogv": ["-c:v", "libtheora", "-c:a", "libvorbis"],
	"a.dv": ["-target", "pal-dv", "-ac", "2"],
	"a.gif": ["-an"],
};
beforeAll(async () => {
	folder = await openFolder();
	for (const [name, encode] of Object.entries(files))
		await program("ffmpeg", "-y", ...generated, ...encode, folder.path(name));
});
afterAll(() => folder.close());

/** The beginning of a file, so much of it. */
async function cut(name: string, percent: number): Promise<string> {
	const bytes = await readFile(folder.path(name));
	const path = folder.path(`${percent}-${name}`);
	await writeFile(path, bytes.subarray(0, Math.round((bytes.length * percent) / 100)));
	return path;
}
const edited = async (name: string, from: string, edit: (bytes: Buffer) => Buffer): Promise<string> => {
	await writeFile(folder.path(name), edit(await readFile(folder.path(from))));
	return folder.path(name);
};
const sentence = /^The file is cut off: the file says (\d+\.\d+) s, but ends after (\d+\.\d+) s\.$/;

const declaring = Object.keys(files).filter((name) => !/index-last|\.(ts|mpg|ogv|dv|gif)$/.test(name));

describe.each(declaring)("%s", (name) => {
	it("says how long it is, and is", async () => {
		const { length } = await probeAgain(folder.path(name));
		expect(length.declaredSeconds).toBeCloseTo(seconds, 1);
		expect(length.foundSeconds).toBeGreaterThan(seconds - 0.03);
	});

	it.each([30, 90])("is invalid_media where it is cut off at %d per cent, and says both lengths", async (percent) => {
		const failed = await probeAgain(await cut(name, percent)).catch((error: unknown) => error);
		expect(failed).toMatchObject({
			name: "MediaError",
			reason: "invalid_media",
			message: expect.stringMatching(sentence),
		});
		const [, declared, found] = sentence.exec((failed as Error).message) ?? [];
		expect(Number(declared)).toBeCloseTo(seconds, 1);
		expect(Number(found)).toBeGreaterThan((seconds * percent) / 100 - 1.1);
		expect(Number(found)).toBeLessThan((seconds * percent) / 100 + 0.3);
	});

	it.each([98.5, 99.5])("passes if it is cut off at %d per cent, which is less than half a second", async (percent) => {
		const { length } = await probeAgain(await cut(name, percent));
		expect(length.declaredSeconds).toBeCloseTo(seconds, 1);
		expect(length.foundSeconds).toBeGreaterThan(seconds - 0.5);
	});
});

it.each(["index-last.mp4", "index-last.mov"])(
	"%s is invalid_media wherever it is cut off: its index is gone",
	async (name) => {
		for (const percent of [30, 90, 98.5, 99.5])
			await expect(probeAgain(await cut(name, percent))).rejects.toMatchObject({ reason: "invalid_media" });
	},
);

it.each(["a.ts", "a.mpg", "a.ogv", "a.dv", "a.gif"])(
	"%s declares no length, so that what there is of it passes",
	async (name) => {
		for (const percent of [30, 90, 98.5, 99.5]) {
			const { length } = await probeAgain(await cut(name, percent));
			expect(length.declaredSeconds).toBeNull();
			expect(length.foundSeconds).toBeLessThan(seconds * (percent / 100) + 0.5);
		}
	},
);

it("a fragmented MP4 that is cut off is invalid_media if its header has the length of all fragments", async () => {
	const whole = ["-c", "copy", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"];
	await program("ffmpeg", "-i", folder.path("index-first.mp4"), ...whole, folder.path("no-index.mp4"));
	const path = await edited("told-by-header.mp4", "no-index.mp4", (bytes) => {
		const mvhd = bytes.indexOf("mvhd");
		bytes.writeUInt32BE(seconds * bytes.readUInt32BE(mvhd + 16), mvhd + 20);
		return bytes.subarray(0, bytes.lastIndexOf("moof", bytes.length * 0.6) - 4);
	});
	await expect(probeAgain(path)).rejects.toMatchObject({ message: expect.stringMatching(sentence) });
});

it("a fragmented recording that breaks off within its last fragment passes, and says what is lost", async () => {
	const live = [
		"-c",
		"copy",
		"-movflags",
		"+frag_keyframe+empty_moov+default_base_moof",
		"-min_frag_duration",
		"2000000",
	];
	await program("ffmpeg", "-y", "-i", folder.path("index-first.mp4"), ...live, folder.path("recording.mp4"));
	const path = await edited("crashed.mp4", "recording.mp4", (bytes) => {
		const last = bytes.lastIndexOf("moof") - 4;
		const media = last + bytes.readUInt32BE(last);
		return bytes.subarray(0, media + Math.round((bytes.length - media) * 0.2));
	});
	const { length } = await probeAgain(path);
	expect(length.declaredSeconds).toBeCloseTo(seconds, 1);
	expect(length.foundSeconds).toBeLessThan(seconds - 0.6);
	expect(length.foundSeconds).toBeGreaterThan(3);
});

describe("of a long film more than half a second may be missing, up to a hundredth", () => {
	it.each([
		[0.6, "passes"],
		[1.4, "is invalid_media"],
	])("%d s of 120 s: %s", async (missing, fate) => {
		const name = "long.mkv";
		const long = lavfi("color=red:size=64x36:rate=5:duration=120", "sine=duration=120:sample_rate=8000");
		await program("ffmpeg", "-y", ...long, ...x264, folder.path(name));
		const shown = ["-show_entries", "packet=pts_time,pos", "-of", "csv=p=0"];
		const packets = await program("ffprobe", ...shown, folder.path(name));
		const lines = packets
			.trim()
			.split("\n")
			.map((line) => line.split(",").map(Number));
		const [, end = 0] = lines.find(([time = 0]) => time >= 120 - missing) ?? [];
		await truncate(folder.path(name), end);
		const probed = probeAgain(folder.path(name));
		if (fate === "passes") expect((await probed).length.foundSeconds).toBeLessThan(119.5);
		else
			await expect(probed).rejects.toMatchObject({ reason: "invalid_media", message: expect.stringMatching(sentence) });
	});
});

describe("whole files pass", () => {
	it.each([
		[
			"a browser's recording, whose header was written before its end",
			["-f", "webm", "-live", "1"],
			"a.webm",
			"live.webm",
		],
		["a recording of Matroska", ["-f", "matroska", "-live", "1"], "a.mkv", "live.mkv"],
		["a recording of FLV", ["-flvflags", "no_duration_filesize"], "a.flv", "live.flv"],
	])("%s: no length is declared", async (_, how, from, to) => {
		await program("ffmpeg", "-i", folder.path(from), "-c", "copy", ...how, folder.path(to));
		const { length, durationSeconds } = await probeAgain(folder.path(to));
		expect(length.declaredSeconds).toBeNull();
		expect(length.foundSeconds).toBeCloseTo(seconds, 1);
		expect(durationSeconds).toBeCloseTo(seconds, 1);
	});

	it("a recording that was cut off and declares no length: there is nothing to compare it with", async () => {
		const live = ["-c", "copy", "-f", "webm", "-live", "1"];
		await program("ffmpeg", "-i", folder.path("a.webm"), ...live, folder.path("live-whole.webm"));
		expect((await probeAgain(await cut("live-whole.webm", 60))).length).toMatchObject({ declaredSeconds: null });
	});

	it("a fragmented MP4 whose header says zero, as recorders write it", async () => {
		const live = ["-c", "copy", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"];
		await program("ffmpeg", "-i", folder.path("index-first.mp4"), ...live, folder.path("zero.mp4"));
		expect((await probeAgain(folder.path("zero.mp4"))).durationSeconds).toBeCloseTo(seconds, 1);
	});

	it("a recording of Matroska whose length ffprobe would guess from its bit rate", async () => {
		const raw = ["-c:v", "rawvideo", "-s", "32x18", "-c:a", "pcm_s16le", "-f", "matroska", "-live", "1"];
		await program("ffmpeg", "-i", folder.path("a.mkv"), ...raw, folder.path("raw.mkv"));
		expect((await probeAgain(folder.path("raw.mkv"))).length.declaredSeconds).toBeNull();
	});

	it("a recording of AVI that was never closed: no frames are declared, and there is no index", async () => {
		const path = await edited("unclosed.avi", "a.avi", (bytes) => {
			for (let at = bytes.indexOf("strh"); at >= 0 && at < 8192; at = bytes.indexOf("strh", at + 1))
				bytes.writeUInt32LE(0, at + 8 + 32);
			return bytes.subarray(0, bytes.indexOf("idx1"));
		});
		expect((await probeAgain(path)).length).toMatchObject({ declaredSeconds: null });
	});

	it("what an edit list hides is not missed", async () => {
		const copied = ["-i", folder.path("index-first.mp4"), "-c", "copy", ...faststart];
		await program("ffmpeg", "-ss", "2.5", ...copied, folder.path("edited.mp4"));
		expect((await probeAgain(folder.path("edited.mp4"))).durationSeconds).toBeCloseTo(seconds - 2.5, 0);
		// Both tracks begin 1.2 s late, by an edit that shows nothing.
		const late = [...lavfi("sine=duration=8"), "-itsoffset", "1.2", ...copied];
		await program("ffmpeg", ...late, "-map", "1:v", "-map", "0:a", "-c:a", "aac", folder.path("late.mp4"));
		expect((await probeAgain(folder.path("late.mp4"))).durationSeconds).toBeCloseTo(8, 0);
	});

	it("what an edit list shows in two parts is not missed, nor what it hides between them", async () => {
		const path = await edited("parts.mp4", "index-last.mp4", (bytes) => {
			const elst = bytes.indexOf("elst") - 4;
			const parts = [0, 4].map((from) => {
				const entry = Buffer.alloc(12);
				entry.writeUInt32BE(1500, 0);
				entry.writeUInt32BE(from * bytes.readUInt32BE(bytes.indexOf("mdhd") + 16), 4);
				entry.writeUInt32BE(0x10000, 8);
				return entry;
			});
			const list = Buffer.concat([bytes.subarray(elst, elst + 16), ...parts]);
			const grown = Buffer.concat([bytes.subarray(0, elst), list, bytes.subarray(elst + 28)]);
			grown.writeUInt32BE(2, elst + 12);
			for (const type of ["moov", "trak", "edts", "elst"]) {
				const at = grown.lastIndexOf(type, elst + 4) - 4;
				grown.writeUInt32BE(grown.readUInt32BE(at) + 12, at);
			}
			return grown;
		});
		const { video } = await probeAgain(path);
		expect(video.endSeconds).toBeCloseTo(3, 0);
	});

	it.each(["mp4", "mkv", "avi", "flv"])(
		"sound that is shorter than its picture, and a picture that is shorter than its sound: %s",
		async (ending) => {
			const coders = ending === "avi" ? ["-c:v", "mpeg4", "-c:a", "mp2"] : [...x264, "-ar", "44100"];
			for (const [picture, sound] of [
				[4, 2],
				[2, 4],
			]) {
				const path = folder.path(`uneven-${picture}.${ending}`);
				const inputs = lavfi(`testsrc2=size=160x90:rate=25:duration=${picture}`, `sine=duration=${sound}`);
				await program("ffmpeg", "-y", ...inputs, ...coders, path);
				expect((await probeAgain(path)).durationSeconds).toBeCloseTo(4, 0);
			}
		},
	);

	it.each(["mp4", "mkv"])("subtitles that are over early, or go on longer: %s", async (ending) => {
		for (const [name, end] of [
			["early", "00:00:02,000"],
			["later", "00:00:09,000"],
		]) {
			await writeFile(folder.path("words.srt"), `1\n00:00:01,000 --> ${end}\nWords.\n`);
			const path = folder.path(`subtitled-${name}.${ending}`);
			const copy = ["-c:v", "copy", "-c:a", "copy", "-c:s", ending === "mp4" ? "mov_text" : "srt"];
			const inputs = ["index-first.mp4", "words.srt"].flatMap((name) => ["-i", folder.path(name)]);
			await program("ffmpeg", ...inputs, "-map", "0", "-map", "1", ...copy, path);
			expect((await probeAgain(path)).durationSeconds).toBeCloseTo(seconds, 1);
		}
	});
});

describe("what comes of a file that was cut off", () => {
	it.each(["index-first.mp4", "a.mkv"])(
		"%s: is made of what there is, and the report tells of the loss",
		async (name) => {
			const source = await cut(name, 95);
			const { report, media } = await processVideo({
				source,
				directory: folder.outputs(),
				tools,
				job: job(["h264_720"], { hls: false }),
			});
			const { declared_seconds: declared, found_seconds: found } = report.source as Record<string, number>;
			expect(declared).toBeCloseTo(seconds, 1);
			expect(found).toBeLessThan(seconds - 0.1);
			expect(media.duration_seconds).toBeGreaterThan(seconds - 0.5);
			expect(report.decisions).toContainEqual({
				about: "length",
				decision: `${((declared as number) - (found as number)).toFixed(2)} s are missing at the end`,
				because: expect.stringMatching(/^the file says 6\.0\d? s, but ends after 5\.\d+ s$/),
			});
		},
	);

	it("is nothing at all: not of an outro, and not of a job in chunks", async () => {
		const options = { tools, job: job(), directory: folder.outputs() };
		await expect(makeMezzanine({ ...options, source: await cut("a.webm", 60) })).rejects.toMatchObject({
			message: expect.stringMatching(sentence),
		});
		await expect(processVideo({ ...options, chunks: 2, source: await cut("a.mkv", 60) })).rejects.toMatchObject({
			message: expect.stringMatching(sentence),
		});
		await expect(stat(join(options.directory, "media"))).rejects.toThrow("ENOENT");
	});

	it("is made in chunks as well if little is missing", async () => {
		const source = await cut("a.mkv", 96);
		const made = await processVideo({ source, directory: folder.outputs(), tools, job: job(["h264_720"]), chunks: 2 });
		expect(made.report.decisions).toContainEqual(expect.objectContaining({ about: "length" }));
		expect(made.report.decisions).toContainEqual(
			expect.objectContaining({ about: "encoding", decision: "in 2 chunks at once" }),
		);
	});
});
