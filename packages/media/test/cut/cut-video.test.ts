import { cp, open, readdir, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cutVideo, type RemoteOutputs } from "../../src/index.ts";
import { openFragments } from "../../src/mp4/fragments.ts";
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
	const { made, cut, finished } = await cuts.expectCut(37, 133);
	const { directory } = finished;
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
	// Players place segments by their headers: the sound's are listed where those say.
	const playlist = await readFile(join(directory, "hls/audio.m3u8"), "utf8");
	const listed = [...playlist.matchAll(/EXTINF:(.*),/g)].map(([, seconds]) => Number(seconds));
	const sound = await openFragments(join(directory, "media/audio.m4a"));
	await sound.close();
	expect(sound.hiddenTicks).toBeGreaterThanOrEqual(1024);
	const second = (sound.fragments[1]?.startTicks ?? 0) / sound.timescale;
	expect(listed).toEqual([second, 3.2 - second].map((seconds) => expect.closeTo(seconds, 5)));
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
