import { execFile } from "node:child_process";
import { cp, open, readdir, readFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cutVideo, type RemoteOutputs } from "../../src/index.ts";
import { openFragments, writeFragments } from "../../src/mp4/fragments.ts";
import { openCuts, rate } from "../support/cuts.ts";
import { type Folder, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let cuts: Awaited<ReturnType<typeof openCuts>>;
beforeAll(async () => {
	folder = await openFolder();
	cuts = await openCuts(folder, 5);
});
afterAll(() => folder.close());

it("keeps the old pictures and sound of a stretch, and encodes its two ends at most", async () => {
	const { made, directory, cut } = await cuts.expectCut(37, 133);
	expect(made.media).toEqual({ duration_seconds: 3.2, width: 160, height: 90 });
	// The first key frame comes 23 frames later. Behind the last one H.264 needs at most three frames of its own.
	const [h264, av1] = cut.renditions;
	expect(h264?.encoded_frames).toBeGreaterThanOrEqual(23);
	expect(h264?.encoded_frames).toBeLessThanOrEqual(26);
	expect(av1?.encoded_frames).toBe(23);
	const transcript = await readFile(join(directory, "transcript.vtt"), "utf8");
	expect(transcript).toContain("00:00:00.000 --> 00:00:00.767\nThe first words");
	expect(transcript).toContain("00:00:01.767 --> 00:00:03.200\nWords in the middle");
	const master = await readFile(join(directory, "hls/master.m3u8"), "utf8");
	expect(master).toContain('TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en"');
	expect(master).toContain('TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en"');
});

it("fetches no more of outputs elsewhere than the stretch needs, and makes the same of them", async () => {
	const files = Object.fromEntries(
		await Promise.all(
			(await readdir(cuts.directory, { recursive: true, withFileTypes: true }))
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name))
				.map(async (path) => [path.slice(cuts.directory.length + 1), (await stat(path)).size] as const),
		),
	);
	const fetched = new Map<string, number>();
	const source = join(folder.outputs(), "fetched");
	const remote: RemoteOutputs = {
		files,
		async fetch(file, { offset, length }, path) {
			fetched.set(file, (fetched.get(file) ?? 0) + length);
			const bytes = (await readFile(join(cuts.directory, file))).subarray(offset, offset + length);
			const target = await open(path, "r+");
			await target.write(bytes, 0, length, offset);
			await target.close();
		},
	};
	const stretch = { startSeconds: 37 / rate, endSeconds: 133 / rate, tools };
	const outputs = { hls: true, dash: false, mp4_fallback: false, og_thumbnail: false };
	const directory = folder.outputs();
	await cutVideo({ ...stretch, source, directory, remote, outputs, moderationFrames: false });
	const whole = folder.outputs();
	await cutVideo({ ...stretch, source: cuts.directory, directory: whole });
	for (const file of ["media/h264_90.mp4", "media/av1_90.mp4", "media/audio.m4a", "hls/master.m3u8", "transcript.vtt"])
		expect(await readFile(join(directory, file)), file).toEqual(await readFile(join(whole, file)));
	expect(await readdir(directory)).toEqual(["hls", "media", "storyboard", "storyboard.vtt", "transcript.vtt"]);
	// Of five seconds the stretch has the middle ones: the first fragment is in the first bytes, the last is needed.
	expect([...fetched.keys()].filter((file) => /jpg|frames|web|og/.test(file))).toEqual([]);
});

/** The brightness of a storyboard's sheet, ten pictures wide. */
async function sheetOf(directory: string): Promise<Buffer> {
	const args = ["-v", "error", "-i", join(directory, "storyboard/00001.jpg"), "-vf", "format=gray"];
	return (
		await promisify(execFile)("ffmpeg", [...args, "-f", "rawvideo", "-"], { encoding: "buffer", maxBuffer: 2 ** 23 })
	).stdout;
}

/** One picture of it. */
function tile(sheet: Buffer, place: string): Buffer {
	const [x = 0, y = 0, width = 0, height = 0] = place.split(",").map(Number);
	const lines = Array.from({ length: height }, (_, line) => (y + line) * 10 * width + x);
	return Buffer.concat(lines.map((at) => sheet.subarray(at, at + width)));
}

it("takes the storyboard of a long cut from the source's own", async () => {
	const source = folder.outputs();
	await cp(cuts.directory, source, { recursive: true });
	const seconds = 4 * 17;
	await rm(join(source, "media/av1_90.mp4"));
	for (const track of ["h264_90.mp4", "audio.m4a"]) {
		const file = await openFragments(join(cuts.directory, "media", track));
		await writeFragments(
			join(source, "media", track),
			file,
			Array.from({ length: 18 }, () => file.fragments.slice(0, 2)).flat(),
		);
		await file.close();
	}
	const [whole, cut, again] = [folder.outputs(), folder.outputs(), folder.outputs()];
	// The first key frames are a fifth of a second apart.
	await cutVideo({ source, directory: whole, tools, startSeconds: 1.8, endSeconds: seconds + 1.8 });
	const made = await cutVideo({ source: whole, directory: cut, tools, startSeconds: 3.1, endSeconds: seconds - 1.5 });
	await cutVideo({ source: whole, directory: again, tools, startSeconds: 0, endSeconds: seconds - 1.5 });
	expect(made.files).toEqual(expect.arrayContaining(["storyboard.vtt", "storyboard/00001.jpg", "og.jpg"]));
	const cues = async (directory: string) =>
		[...(await readFile(join(directory, "storyboard.vtt"), "utf8")).matchAll(/^(\S+) -->.*\n.*#xywh=(.*)$/gm)].map(
			([, from = "", place = ""]) => ({ seconds: Number(from.slice(3, 5)) * 60 + Number(from.slice(6)), place }),
		);
	const [before, after] = [await cues(whole), await cues(cut)];
	const kept = before.filter((one) => one.seconds >= 3.1 && one.seconds < seconds - 1.5);
	expect(after).toHaveLength(kept.length);
	// The first picture is shown from the beginning on, though it is of a later moment.
	expect(after.map((one) => one.seconds)).toEqual(
		kept.map((one, n) => (n === 0 ? 0 : Math.round((one.seconds - 3.1) * 1000) / 1000)),
	);
	const sheets = await Promise.all([whole, cut].map(sheetOf));
	for (const [n, { place }] of after.entries()) {
		const [old, now] = [tile(sheets[0] as Buffer, kept[n]?.place ?? ""), tile(sheets[1] as Buffer, place)];
		const off = old.reduce((sum, value, at) => sum + Math.abs(value - (now[at] ?? 0)), 0) / old.length;
		expect(off, `picture ${n}`).toBeLessThan(3);
	}
	for (const directory of [cut, again]) {
		const manifest = await readFile(join(directory, "dash/manifest.mpd"), "utf8");
		const [columns, rows] = [10, Math.ceil((await cues(directory)).length / 10)];
		expect(manifest).toContain(`duration="${30 * 2 * columns * rows}" startNumber="1"`);
		expect(manifest).toContain(`value="${columns}x${rows}"`);
	}
});

it("refuses a source whose track breaks off", async () => {
	const source = folder.outputs();
	await cp(cuts.directory, source, { recursive: true });
	await truncate(join(source, "media/av1_90.mp4"), 20_000);
	const broken = { source, directory: folder.outputs(), tools, startSeconds: 1, endSeconds: 2 };
	await expect(cutVideo(broken)).rejects.toThrow(/av1_90 ends after 20000 of \d+ bytes/);
});

it("refuses a stretch without a frame", async () => {
	const none = { source: cuts.directory, directory: folder.outputs(), tools, startSeconds: 2, endSeconds: 2.01 };
	await expect(cutVideo(none)).rejects.toThrow(RangeError);
});
