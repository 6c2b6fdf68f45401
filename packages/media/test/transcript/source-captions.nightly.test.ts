import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { mayCarryCaptions } from "../../src/transcript/closed-captions.ts";
import { cea608, withMpeg2Captions } from "../support/closed-captions.ts";
import { everything, type Folder, job, lavfi, openFolder, program, tools } from "../support/sources.ts";

let folder: Folder;
let interlaced: string;
beforeAll(async () => {
	folder = await openFolder();
	interlaced = await broadcast();
});
afterAll(() => folder.close());

const small = lavfi("testsrc2=size=160x90:rate=25:duration=3", "sine=duration=3");
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

async function make(source: string, options: Partial<Parameters<typeof processVideo>[0]> = {}) {
	const directory = folder.outputs();
	const made = await processVideo({
		...{ source, directory, tools, job: { ...job(["h264_720", "av1_720"], everything), speed: "fast" } },
		...options,
	});
	return { ...made, text: (file: string) => readFile(join(directory, file), "utf8"), directory };
}

/** An interlaced broadcast whose clock begins at ten seconds, with captions in its pictures. */
async function broadcast(): Promise<string> {
	const fields = ["-flags", "+ilme+ildct", "-top", "1", "-c:v", "mpeg2video", "-bf", "0", "-b:v", "1M"];
	await program("ffmpeg", ...lavfi("testsrc2=size=320x180:rate=30:duration=4"), ...fields, folder.path("plain.m2v"));
	const sent = new Map([0, 30, 60, 90].map((n) => [n, cea608.rollUp(`LINE ${n / 30 + 1} GOOD WORDS`)]));
	const captioned = withMpeg2Captions(await readFile(folder.path("plain.m2v")), sent);
	await writeFile(folder.path("captioned.m2v"), captioned);
	const inputs = [
		"-fflags",
		"+genpts",
		"-framerate",
		"30",
		"-f",
		"mpegvideo",
		"-i",
		folder.path("captioned.m2v"),
		...lavfi("sine=duration=4"),
	];
	const path = folder.path("broadcast.ts");
	await program("ffmpeg", ...inputs, "-c:v", "copy", "-c:a", "mp2", "-output_ts_offset", "10", path);
	return path;
}

it("keeps the captions of an interlaced broadcast in MPEG-2, and leaves none in H.264 and AV1 that are playable early", async () => {
	const early: string[][] = [];
	const made = await make(interlaced, { onPlayable: ({ files }) => void early.push(files) });
	expect(early[0]).not.toContain("transcript.vtt");
	expect(made.transcript?.status).toBe("available");
	const cues = (await made.text("transcript.vtt")).split("\n\n").slice(1);
	expect(cues.map((cue) => cue.trim().split("\n")[1])).toEqual([1, 2, 3, 4].map((n) => `LINE ${n} GOOD WORDS`));
	for (const [n, cue] of cues.entries()) {
		const [, seconds] = /^00:00:(\d\d\.\d{3}) -->/.exec(cue) ?? [];
		expect(Number(seconds)).toBeGreaterThan(n);
		expect(Number(seconds)).toBeLessThan(n + 0.35);
	}
	for (const file of made.files.filter((one) => one.endsWith(".mp4")))
		expect(await mayCarryCaptions(join(made.directory, file), "h264"), file).toBe(false);
	expect(await made.text("hls/master.m3u8")).toContain('SUBTITLES="captions",CLOSED-CAPTIONS=NONE');
	expect(await mayCarryCaptions(interlaced, "mpeg2video")).toBe(true);
});

it("reads closed captions in a track of their own", async () => {
	const source = folder.path("track.mov");
	const captions = `movie=${interlaced},crop=2:2[out0+subcc]`;
	await program(
		"ffmpeg",
		"-f",
		"lavfi",
		"-i",
		captions,
		...small,
		"-map",
		"0:s",
		"-map",
		"1",
		"-map",
		"2",
		"-c:s",
		"copy",
		...x264,
		"-shortest",
		source,
	);
	const made = await make(source, { job: job(["h264_720"]) });
	expect(await made.text("transcript.vtt")).toContain("LINE 2 GOOD WORDS");
	expect(made.report["text_tracks"]).toMatchObject([{ codec: "eia_608", output: "transcript.vtt" }]);
});

it("keeps cues where they are if the track's edit list begins within one, or with none", async () => {
	const cues = ["00:00:00,200 --> 00:00:01,400", "00:00:01,500 --> 00:00:02,500"];
	await writeFile(folder.path("cut.srt"), cues.map((times, n) => `${n + 1}\n${times}\nCue ${n + 1}\n`).join("\n"));
	const whole = folder.path("whole.mp4");
	await program("ffmpeg", ...small, "-i", folder.path("cut.srt"), ...x264, "-c:s", "mov_text", whole);
	const [source] = [folder.path("cut.mp4")];
	await program("ffmpeg", "-ss", "1", "-i", whole, "-map", "0", "-c", "copy", source);
	const made = await make(source, { job: job(["h264_720"]) });
	const times = [...(await made.text("transcript.vtt")).matchAll(/(\S+) --> /g)].map(([, start]) => start);
	expect(times).toEqual(["00:00:00.000", "00:00:00.500"]);
});

it("says that text which isn't in UTF-8 is missing, and that closed captions have no words", async () => {
	await writeFile(
		folder.path("cafe.srt"),
		"1\n00:00:00,200 --> 00:00:01,000\nCafe\n\n2\n00:00:01,500 --> 00:00:02,500\nTea\n",
	);
	const utf8 = folder.path("utf8.mkv");
	await program("ffmpeg", ...small, "-i", folder.path("cafe.srt"), ...x264, "-c:s", "copy", utf8);
	const bytes = (await readFile(utf8)).toString("latin1").replace("Cafe", "Caf\u00e9");
	await writeFile(folder.path("latin1.mkv"), bytes, "latin1");
	const made = await make(folder.path("latin1.mkv"), { job: job(["h264_720"]) });
	expect(await made.text("transcript.vtt")).toBe("WEBVTT\n\n00:00:01.500 --> 00:00:02.500\nTea\n");
	expect(made.report.decisions).toContainEqual(expect.objectContaining({ decision: "incomplete: stream 2" }));
	// The second field has none of CC1.
	const sent = (await readFile(interlaced))
		.toString("latin1")
		.replaceAll("GA94\u0003\u00c1\u00ff\u00fc", "GA94\u0003\u00c1\u00ff\u00fd");
	await writeFile(folder.path("second-field.ts"), sent, "latin1");
	const wordless = await make(folder.path("second-field.ts"), { job: job(["h264_720"]) });
	expect(wordless.files).not.toContain("transcript.vtt");
	expect(wordless.report.decisions).toContainEqual(expect.objectContaining({ decision: "left out: closed captions" }));
});

it("makes plain text of ASS, and says of forced tracks and those for the deaf what they are", async () => {
	const head =
		"[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
	const line = (text: string) => `Dialogue: 0,0:00:00.50,0:00:01.75,Default,,0,0,0,,${text}\n`;
	const events = [String.raw`{\i1}Bonjour{\i0}\Nà tous{a note}`, String.raw`{\p1}m 0 0 l 100 0 100 50{\p0}`];
	await writeFile(folder.path("french.ass"), head + events.map(line).join("") + line(events[0] as string));
	await writeFile(folder.path("sign.srt"), "1\n00:00:01,000 --> 00:00:02,000\nEXIT\n");
	await writeFile(folder.path("deaf.srt"), "1\n00:00:00,500 --> 00:00:02,000\n[door]\nHello\n");
	const source = folder.path("tracks.mkv");
	const texts = ["sign.srt", "french.ass", "deaf.srt"].flatMap((file) => ["-i", folder.path(file)]);
	const said = ["eng", "fre", "eng"].flatMap((language, n) => [`-metadata:s:s:${n}`, `language=${language}`]);
	const marks = ["-disposition:s:0", "forced", "-disposition:s:1", "default", "-disposition:s:2", "hearing_impaired"];
	const maps = [0, 1, 2, 3, 4].flatMap((n) => ["-map", String(n)]);
	await program(
		"ffmpeg",
		...small,
		...texts,
		...maps,
		...x264,
		"-c:s",
		"copy",
		...said,
		"-metadata:s:a",
		"language=eng",
		...marks,
		source,
	);
	const made = await make(source, { job: job(["h264_720"]) });
	expect(made.transcript).toEqual({ status: "available", language: "en" });
	expect(await made.text("transcript.vtt")).toContain("\n[door]\nHello\n");
	expect(await made.text("captions/3.vtt")).toBe("WEBVTT\n\n00:00:00.500 --> 00:00:01.750\nBonjour\nà tous\n");
	const lines = (await made.text("hls/master.m3u8")).split("\n").filter((one) => one.includes("TYPE=SUBTITLES"));
	expect(lines.map((one) => /FORCED=(\w+).*URI="(.*)"/.exec(one)?.slice(1))).toEqual([
		["NO", "captions.m3u8"],
		["YES", "captions_2.m3u8"],
		["NO", "captions_3.m3u8"],
	]);
	expect(lines[0]).toContain("describes-music-and-sound");
	const alone = await make(source, { job: job(["h264_720"], { hls: false }) });
	expect(alone.files.filter((file) => file.endsWith(".vtt"))).toEqual(["storyboard.vtt", "transcript.vtt"]);
});

it("keeps the text of recordings that follow one another in one Matroska, at their pictures", async () => {
	const words = folder.path("recorded.srt");
	await writeFile(words, "1\n00:00:01,000 --> 00:00:02,000\nThe words\n");
	const recording = folder.path("recorded.mkv");
	const codecs = [...x264, "-c:a", "aac", "-c:s", "srt", "-metadata:s:s:0", "language=eng", "-live", "1"];
	await program("ffmpeg", ...small, "-i", words, "-map", "0", "-map", "1", "-map", "2", ...codecs, recording);
	const bytes = await readFile(recording);
	const source = folder.path("recorded-twice.mkv");
	await writeFile(source, Buffer.concat([bytes, bytes]));
	const made = await make(source, { job: job(["h264_720"], { hls: false, og_thumbnail: false }) });
	expect(made.media.duration_seconds).toBeCloseTo(6, 0);
	const starts = [...(await made.text("transcript.vtt")).matchAll(/(\d\d:\d\d\.\d)\d\d -->/g)].map(([, time]) => time);
	expect(starts).toEqual(["00:01.0", "00:04.0"]);
});
