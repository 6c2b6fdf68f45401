import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, probeAgain, program, tools } from "../support/sources.ts";

let folder: Folder;
const seconds = 6;
const generated = [
	"-f",
	"lavfi",
	"-i",
	`testsrc2=size=160x90:rate=25:duration=${seconds}`,
	"-f",
	"lavfi",
	"-i",
	`sine=duration=${seconds}:sample_rate=48000`,
];
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25"];
const faststart = ["-movflags", "+faststart"];

/** How each file is encoded, by its name; declared-length.nightly.test.ts has more. */
const files: Record<string, string[]> = {
	"index-first.mp4": [...x264, ...faststart],
	"index-last.mp4": x264,
	"a.mkv": x264,
	"a.ts": x264,
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
const sentence = /^The file is cut off: the file says (\d+\.\d+) s, but ends after (\d+\.\d+) s\.$/;

describe.each(["index-first.mp4", "a.mkv"])("%s", (name) => {
	it("says how long it is, and is", async () => {
		const { length } = await probeAgain(folder.path(name));
		expect(length.declaredSeconds).toBeCloseTo(seconds, 1);
		expect(length.foundSeconds).toBeGreaterThan(seconds - 0.03);
	});

	it.each([90])("is invalid_media where it is cut off at %d per cent, and says both lengths", async (percent) => {
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

	it.each([98.5])("passes if it is cut off at %d per cent, which is less than half a second", async (percent) => {
		const { length } = await probeAgain(await cut(name, percent));
		expect(length.declaredSeconds).toBeCloseTo(seconds, 1);
		expect(length.foundSeconds).toBeGreaterThan(seconds - 0.5);
	});
});

it.each(["index-last.mp4"])("%s is invalid_media wherever it is cut off: its index is gone", async (name) => {
	for (const percent of [90])
		await expect(probeAgain(await cut(name, percent))).rejects.toMatchObject({ reason: "invalid_media" });
});

it.each(["a.ts"])("%s declares no length, so that what there is of it passes", async (name) => {
	for (const percent of [90]) {
		const { length } = await probeAgain(await cut(name, percent));
		expect(length.declaredSeconds).toBeNull();
		expect(length.foundSeconds).toBeLessThan(seconds * (percent / 100) + 0.5);
	}
});

describe("whole files pass", () => {
	it("what an edit list hides is not missed", async () => {
		await program(
			"ffmpeg",
			"-ss",
			"2.5",
			"-i",
			folder.path("index-first.mp4"),
			"-c",
			"copy",
			...faststart,
			folder.path("edited.mp4"),
		);
		expect((await probeAgain(folder.path("edited.mp4"))).durationSeconds).toBeCloseTo(seconds - 2.5, 0);
		// Both tracks begin 1.2 s late, by an edit that shows nothing.
		const late = ["-itsoffset", "1.2", "-i", folder.path("index-first.mp4"), "-c", "copy", ...faststart];
		await program(
			"ffmpeg",
			"-f",
			"lavfi",
			"-i",
			"sine=duration=8",
			...late,
			"-map",
			"1:v",
			"-map",
			"0:a",
			"-c:a",
			"aac",
			folder.path("late.mp4"),
		);
		expect((await probeAgain(folder.path("late.mp4"))).durationSeconds).toBeCloseTo(8, 0);
	});
});

describe("what comes of a file that was cut off", () => {
	it.each(["a.mkv"])("%s: is made of what there is, and the report tells of the loss", async (name) => {
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
	});
});
