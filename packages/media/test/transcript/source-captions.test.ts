import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Processed, processVideo, type SourceProbe } from "../../src/index.ts";
import { mayCarryCaptions } from "../../src/transcript/closed-captions.ts";
import { cea608, withCaptions } from "../support/closed-captions.ts";
import { type Folder, job, lavfi, openFolder, program, tools } from "../support/sources.ts";

const german =
	"1\n00:00:00,250 --> 00:00:01,125\n<i>Guten</i> Morgen & 1 < 2\n\n2\n00:00:01,500 --> 00:00:09,000\nZwei\nZeilen\n";
const english = "1\n00:00:00,250 --> 00:00:01,125\nGood morning\n";
const chapters =
	";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Q & A <1>\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\n";

/** No more is made than is looked at. */
const streams = { dash: true, mp4_fallback: false, og_thumbnail: false };

let folder: Folder;
let source: string;
let made: Processed;
let directory: string;
let probed: SourceProbe;
const text = (file: string) => readFile(join(directory, file), "utf8");

/** A clip of three seconds in a path full of signs that mean something to ffmpeg's filters. */
async function makeSource(): Promise<string> {
	const plain = folder.path("plain.h264");
	const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p"];
	await program(
		"ffmpeg",
		...lavfi("testsrc2=size=160x90:rate=30:duration=3"),
		...x264,
		"-x264-params",
		"slices=1",
		plain,
	);
	const sent = new Map([
		[0, cea608.popOn("GOOD", "MORNING")],
		[29, cea608.erase],
		[40, cea608.rollUp("LINE ONE")],
		[60, cea608.rollUp("LAST LINE")],
	]);
	await writeFile(folder.path("captioned.h264"), withCaptions(await readFile(plain), sent));
	await writeFile(folder.path("german.srt"), german);
	await writeFile(folder.path("english.srt"), english);
	await writeFile(folder.path("chapters.txt"), chapters);
	const [name] = [folder.path("it's [a] source, b;c:d=e\\.mp4")];
	const inputs = ["german.srt", "english.srt", "chapters.txt"].flatMap((file) => ["-i", folder.path(file)]);
	await program(
		"ffmpeg",
		...["-framerate", "30", "-i", folder.path("captioned.h264"), ...lavfi("sine=duration=3"), ...inputs],
		...["-map", "0", "-map", "1", "-map", "3", "-map", "2", "-map_chapters", "4", "-c", "copy", "-c:a", "aac"],
		...["-c:s", "mov_text", "-metadata:s:a", "language=ger"],
		...["-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=ger", name],
	);
	return name;
}

beforeAll(async () => {
	folder = await openFolder();
	source = await makeSource();
	directory = folder.outputs();
	const probes: SourceProbe[] = [];
	made = await processVideo({
		...{ source, directory, tools, job: { ...job(["h264_720"], streams), speed: "fast" } },
		onProbe: (probe) => probes.push(probe),
	});
	[probed] = probes as [SourceProbe];
});
afterAll(() => folder.close());

it("takes the transcript from the source, in the language of its sound, whether the job wants one or not", async () => {
	expect(probed.texts?.map(({ language }) => language)).toEqual(["en", "de"]);
	expect(made.transcript).toEqual({ status: "available", language: "de" });
	expect(await text("transcript.vtt")).toBe(
		"WEBVTT\n\n00:00:00.250 --> 00:00:01.125\nGuten Morgen &amp; 1 &lt; 2\n\n00:00:01.500 --> 00:00:03.000\nZwei\nZeilen\n",
	);
});

it("writes the other text and the closed captions beside it, as they are shown, with each line once", async () => {
	expect(await text("captions/2.vtt")).toBe("WEBVTT\n\n00:00:00.250 --> 00:00:01.125\nGood morning\n");
	const cues = (await text("captions/3.vtt")).split("\n\n").slice(1);
	expect(cues.map((cue) => cue.trim().split("\n").slice(1))).toEqual([
		["GOOD", "MORNING"],
		["LINE ONE"],
		["LAST LINE"],
	]);
	const [first = [], second = [], last = []] = cues.map((cue) => [...cue.matchAll(/\d\d\.\d{3}/g)].map(Number));
	// Shown with the picture that has the command: 14 pairs of commands and letters come before it.
	expect(first[0]).toBeCloseTo(14 / 30, 1);
	expect(first[1]).toBeCloseTo(29 / 30, 1);
	expect(second[0]).toBeCloseTo(46 / 30, 1);
	expect(last).toEqual([expect.closeTo(66 / 30, 1), 3]);
});

it("leads to each of them in HLS and DASH, and says what became of each", async () => {
	const lines = (await text("hls/master.m3u8")).split("\n").filter((line) => line.includes("TYPE=SUBTITLES"));
	expect(lines.map((line) => /LANGUAGE="(\w+)".*URI="(.*)"/.exec(line)?.slice(1))).toEqual([
		["de", "captions.m3u8"],
		["en", "captions_2.m3u8"],
		["de", "captions_3.m3u8"],
	]);
	expect(await text("hls/captions_2.m3u8")).toContain("\n../captions/2.vtt\n");
	expect(await text("dash/manifest.mpd")).toContain("<BaseURL>../captions/3.vtt</BaseURL>");
	expect(made.files).toEqual(expect.arrayContaining(["transcript.vtt", "captions/2.vtt", "captions/3.vtt"]));
	expect(made.report["text_tracks"]).toMatchObject([
		{ codec: "mov_text", language: "en", output: "captions/2.vtt" },
		{ codec: "mov_text", language: "de", output: "transcript.vtt" },
		{ codec: "eia_608", language: "de", output: "captions/3.vtt" },
	]);
});

it("leaves nothing of the captions in a picture", async () => {
	expect(await mayCarryCaptions(source, "h264")).toBe(true);
	for (const file of made.files.filter((one) => one.endsWith(".mp4")))
		expect(await mayCarryCaptions(join(directory, file), "h264"), file).toBe(false);
});

it("writes the chapters, and numbers those without a title", async () => {
	expect(made.files).toContain("chapters.vtt");
	expect(await text("chapters.vtt")).toBe(
		"WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nQ &amp; A &lt;1&gt;\n\n00:00:01.000 --> 00:00:03.000\n2\n",
	);
	// Apple's players read them from here.
	expect(made.files).toContain("chapters.json");
	expect(JSON.parse(await text("chapters.json"))).toEqual([
		{ chapter: 1, "start-time": 0, duration: 1, titles: [{ language: "und", title: "Q & A <1>" }] },
		{ chapter: 2, "start-time": 1, duration: 2, titles: [{ language: "und", title: "2" }] },
	]);
	const tag = '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="../chapters.json"\n';
	expect((await text("hls/master.m3u8")).split("#EXT-X-MEDIA")[0]).toContain(tag);
});

it("finds captions wherever a file begins with them, also between two pieces of reading", async () => {
	const at = async (offset: number) => {
		const path = folder.path("large");
		await writeFile(path, Buffer.concat([Buffer.alloc(offset), Buffer.from("GA94\u0003"), Buffer.alloc(9)]));
		return mayCarryCaptions(path, "h264");
	};
	for (const offset of [0, 1024 ** 2 - 6, 1024 ** 2 - 3, 1024 ** 2 - 1, 1024 ** 2]) expect(await at(offset)).toBe(true);
	expect(await mayCarryCaptions(folder.path("large"), "vp9")).toBe(false);
	await mkdir(folder.path("none"), { recursive: true });
	await writeFile(folder.path("none/empty"), "");
	expect(await mayCarryCaptions(folder.path("none/empty"), "mpeg2video")).toBe(false);
});
