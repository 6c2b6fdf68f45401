import { cp, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type EncodePlan,
	MediaError,
	type PlannedRendition,
	planEncode,
	probe,
	process as processMedia,
} from "../src/index.ts";
import { readTrack, type Track } from "../src/mp4/track.ts";
import { isAboveCap, withinCaps } from "../src/package/bitrate-caps.ts";
import { type Proof, prove } from "../src/prove.ts";
import { openPrograms, type Programs } from "../src/run/programs.ts";
import { type Folder, job, openFolder, program, tools } from "./support/sources.ts";

let folder: Folder;
let programs: Programs;
let plan: EncodePlan;
let proof: Proof;
let track: Track;

beforeAll(async () => {
	folder = await openFolder();
	const source = await folder.source("source.mp4", { seconds: 3, sound: false });
	const directory = folder.outputs();
	const { files } = await processMedia({ source, directory, tools, job: job() });
	programs = await openPrograms(tools);
	plan = planEncode(await probe(source, tools), job());
	track = await readTrack(join(directory, "media/h264_180.mp4"), "h264_180");
	proof = { directory, files, videos: [track], audio: null };
});
afterAll(() => folder.close());

it("takes what was made well", async () => {
	const found = await prove(programs, plan, proof);
	expect(found).toMatchObject({
		files: proof.files.length,
		key_frames: 2,
		tracks: [{ name: "h264_180", seconds: 3, bytes: track.bytes }],
	});
	expect(found.duration_off_seconds).toBeLessThan(0.1);
});

it("blames the source where the outputs end before it does: ffmpeg itself would not", async () => {
	const failure = await prove(programs, { ...plan, durationSeconds: 5 }, proof).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(MediaError);
	expect(failure).toMatchObject({
		reason: "invalid_media",
		message: "The video can be decoded only up to 3.0 of its 5.0 seconds.",
	});
});

it("refuses outputs that are longer than planned", async () => {
	await expect(prove(programs, { ...plan, durationSeconds: 2 }, proof)).rejects.toThrow(
		"h264_180 lasts 3 s where 2 s were planned.",
	);
});

it("refuses what differs by more than a tenth of a second", async () => {
	await expect(prove(programs, { ...plan, durationSeconds: 3.09 }, proof)).resolves.toMatchObject({
		duration_off_seconds: 0.09,
	});
	await expect(prove(programs, { ...plan, durationSeconds: 3.12 }, proof)).rejects.toMatchObject({
		reason: "invalid_media",
	});
	await expect(prove(programs, { ...plan, durationSeconds: 2.88 }, proof)).rejects.toThrow("h264_180 lasts 3 s");
});

it("refuses a web.mp4 whose packets are not those of the tracks, and do not decode", async () => {
	const directory = folder.outputs();
	await cp(proof.directory, directory, { recursive: true });
	const file = await open(join(directory, "web.mp4"), "r+");
	await file.write(Buffer.alloc(3000, 0xa5), 0, 3000, (await file.stat()).size - 6000);
	await file.close();
	await expect(prove(programs, plan, { ...proof, directory })).rejects.toThrow("NAL unit");
});

it("refuses a web.mp4 that is shorter than the tracks", async () => {
	const directory = folder.outputs();
	await cp(proof.directory, directory, { recursive: true });
	await program(
		"ffmpeg",
		"-y",
		"-i",
		join(proof.directory, "web.mp4"),
		"-t",
		"2",
		"-c",
		"copy",
		join(directory, "web.mp4"),
	);
	await expect(prove(programs, plan, { ...proof, directory })).rejects.toThrow("of its 3.0 seconds");
});

it("refuses a track of either codec whose bytes are damaged, wherever they are", async () => {
	const directory = folder.outputs();
	const source = await folder.source("both.mp4", { seconds: 3, sound: false });
	const both = job(["h264_720", "av1_720"], { mp4_fallback: false });
	const { files } = await processMedia({ source, directory, tools, job: both });
	for (const name of ["h264_180", "av1_180"]) {
		const path = join(directory, `media/${name}.mp4`);
		const whole = await readFile(path);
		const made = await readTrack(path, name);
		const part = { directory, files, videos: [made], audio: null };
		await prove(programs, plan, part);
		for (const { offset, length } of made.segments) {
			for (const share of [0.3, 0.6, 0.9]) {
				const damaged = Buffer.from(whole);
				damaged.fill(0xa5, offset + Math.floor(share * length), offset + Math.floor((share + 0.1) * length));
				await writeFile(path, damaged);
				await expect(prove(programs, plan, part), `${name}, ${share} of a segment`).rejects.toThrow();
			}
		}
		await writeFile(path, whole);
	}
});

describe("a rendition above its cap", () => {
	/** A track of segments of two seconds at these bits a second. */
	const at = (name: string, ...rates: number[]): Track => ({
		...{ ...track, name },
		segments: rates.map((rate, n) => ({ offset: 0, length: rate / 4, startSeconds: n * 2, seconds: 2 })),
	});
	const rendition = (name: string, codec: "h264" | "av1", delivered = true) => ({
		...(plan.renditions[0] as PlannedRendition),
		name,
		codec,
		delivered,
		maxBitrate: 1_000_000,
	});
	const names = (made: readonly { rendition: PlannedRendition }[]) => made.map((one) => one.rendition.name);

	it("is one that fills the decoder's buffer and goes on", () => {
		expect(isAboveCap(at("steady", 1e6, 1e6, 1e6, 1e6), 1e6)).toBe(false);
		expect(isAboveCap(at("a burst that the buffer takes", 5e5, 1.9e6, 5e5), 1e6)).toBe(false);
		expect(isAboveCap(at("one great burst", 5e5, 5e5, 2.4e6), 1e6)).toBe(true);
		expect(isAboveCap(at("a little too much for long", ...Array(30).fill(1.2e6)), 1e6)).toBe(true);
	});

	it("is dropped while another is left to deliver, and one of H.264 for web.mp4", () => {
		const over = at("over", 3e6, 3e6);
		const [low, high] = [
			{ rendition: rendition("h264_720", "h264"), track: at("low", 1e6) },
			{ rendition: rendition("h264_1080", "h264"), track: over },
		];
		const av1 = { rendition: rendition("av1_720", "av1"), track: over };
		const split = (made: (typeof av1)[], needsH264 = true) => {
			const { kept, dropped } = withinCaps(made, needsH264);
			return [names(kept), names(dropped)];
		};
		expect(split([low, high, av1])).toEqual([["h264_720"], ["av1_720", "h264_1080"]]);
		expect(split([high, av1])).toEqual([["h264_1080"], ["av1_720"]]);
		expect(split([av1], false)).toEqual([["av1_720"], []]);
	});

	it("is left out of everything, and the report says so: noise that AV1 can't press below its cap", {
		timeout: 120_000,
	}, async () => {
		const noise = "nullsrc=size=1280x720:rate=24:duration=2,geq=lum='random(1)*255':cb=128:cr=128";
		const source = await folder.source("noise.mp4", { inputs: ["-f", "lavfi", "-i", noise] });
		const directory = folder.outputs();
		const made = await processMedia({ source, directory, tools, job: job(["h264_720", "av1_720"]) });
		expect(made.renditions.map(({ codec }) => codec)).toEqual(["h264"]);
		expect(made.files.filter((file) => file.includes("av1"))).toEqual([]);
		expect(await readFile(join(directory, "hls/master.m3u8"), "utf8")).not.toContain("av1");
		expect(made.report).toMatchObject({
			decisions: expect.arrayContaining([expect.objectContaining({ about: "av1_720", decision: "dropped" })]),
		});
	});
});

it("refuses renditions whose key frames are not aligned", async () => {
	const shifted = {
		...track,
		name: "other",
		segments: track.segments.map((segment) => ({ ...segment, startSeconds: segment.startSeconds * 1.1 })),
	};
	await expect(prove(programs, plan, { ...proof, videos: [track, shifted] })).rejects.toThrow(
		"The key frames of other and h264_180 are not aligned.",
	);
});

it("refuses a declared file that is not there", async () => {
	await expect(prove(programs, plan, { ...proof, files: [...proof.files, "hls/gone.m3u8"] })).rejects.toThrow(
		"hls/gone.m3u8 was not made.",
	);
});

it("refuses a declared file that is a link", async () => {
	const directory = folder.outputs();
	await cp(proof.directory, directory, { recursive: true });
	await rm(join(directory, "storyboard.vtt"));
	await symlink("/etc/passwd", join(directory, "storyboard.vtt"));
	await expect(prove(programs, plan, { ...proof, directory })).rejects.toThrow("storyboard.vtt was not made.");
});

it("refuses a file that does not decode", async () => {
	const file = await open(join(proof.directory, "web.mp4"), "r+");
	const { size } = await file.stat();
	await file.write(Buffer.alloc(2000, 0xa5), 0, 2000, size - 6000);
	await file.close();
	await expect(prove(programs, plan, proof)).rejects.toThrow();
	await rm(join(proof.directory, "web.mp4"));
});
