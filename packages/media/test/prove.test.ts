import { cp, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Encode } from "../src/encode/encode.ts";
import { MediaError, planEncode, probe, processVideo } from "../src/index.ts";
import { readTrack, type Track } from "../src/mp4/track.ts";
import { type Proof, prove } from "../src/prove.ts";
import { openPrograms } from "../src/run/programs.ts";
import { type Folder, job, openFolder, program, tools } from "./support/sources.ts";

let folder: Folder;
let encode: Encode;
let proof: Proof;
let track: Track;

beforeAll(async () => {
	folder = await openFolder();
	const source = await folder.source("source.mp4", { seconds: 3, sound: false });
	const directory = folder.outputs();
	const { files } = await processVideo({ source, directory, tools, job: job() });
	const plan = planEncode(await probe(source, tools), job());
	const paths = { video: () => "", audio: () => "" };
	encode = { programs: await openPrograms(tools), source, plan, paths, directory };
	track = await readTrack(join(directory, "media/h264_180.mp4"), "h264_180");
	proof = { files, videos: [track], sounds: [] };
});
afterAll(() => folder.close());

/** The encode of a source that lasts this long. */
const lasting = (durationSeconds: number): Encode => ({ ...encode, plan: { ...encode.plan, durationSeconds } });

it("takes what was made well", async () => {
	const found = await prove(encode, proof);
	expect(found).toMatchObject({
		files: proof.files.length,
		key_frames: 2,
		tracks: [{ name: "h264_180", seconds: 3, bytes: track.bytes }],
	});
	expect(found.duration_off_seconds).toBeLessThan(0.1);
});

it("blames the source if the outputs end before it does: ffmpeg itself would not", async () => {
	const failure = await prove(lasting(5), proof).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(MediaError);
	expect(failure).toMatchObject({
		reason: "invalid_media",
		message: "The video can be decoded only up to 3.0 of its 5.0 seconds.",
	});
});

it("refuses outputs that are longer than planned", async () => {
	await expect(prove(lasting(2), proof)).rejects.toThrow("h264_180 lasts 3 s where 2 s were planned.");
});

it("refuses what differs by more than a tenth of a second", async () => {
	await expect(prove(lasting(3.09), proof)).resolves.toMatchObject({
		duration_off_seconds: 0.09,
	});
	await expect(prove(lasting(3.12), proof)).rejects.toMatchObject({
		reason: "invalid_media",
	});
	await expect(prove(lasting(2.88), proof)).rejects.toThrow("h264_180 lasts 3 s");
});

it("refuses a web.mp4 whose packets are not those of the tracks, and do not decode", async () => {
	const directory = folder.outputs();
	await cp(encode.directory, directory, { recursive: true });
	const file = await open(join(directory, "web.mp4"), "r+");
	await file.write(Buffer.alloc(3000, 0xa5), 0, 3000, (await file.stat()).size - 6000);
	await file.close();
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow("NAL unit");
});

it("refuses a web.mp4 that is shorter than the tracks", async () => {
	const directory = folder.outputs();
	await cp(encode.directory, directory, { recursive: true });
	await program(
		"ffmpeg",
		"-y",
		"-i",
		join(encode.directory, "web.mp4"),
		"-t",
		"2",
		"-c",
		"copy",
		join(directory, "web.mp4"),
	);
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow("of its 3.0 seconds");
});

it("refuses a track of either codec whose bytes are damaged, wherever they are", async () => {
	const directory = folder.outputs();
	const source = await folder.source("both.mp4", { seconds: 3, sound: false });
	const both = job(["h264_720", "av1_720"], { mp4_fallback: false });
	const { files } = await processVideo({ source, directory, tools, job: both });
	for (const name of ["h264_180", "av1_180"]) {
		const path = join(directory, `media/${name}.mp4`);
		const whole = await readFile(path);
		const made = await readTrack(path, name);
		const part = { files, videos: [made], sounds: [] };
		await prove({ ...encode, directory }, part);
		for (const { offset, length } of made.segments) {
			for (const share of [0.3, 0.6, 0.9]) {
				const damaged = Buffer.from(whole);
				damaged.fill(0xa5, offset + Math.floor(share * length), offset + Math.floor((share + 0.1) * length));
				await writeFile(path, damaged);
				await expect(prove({ ...encode, directory }, part), `${name}, ${share} of a segment`).rejects.toThrow();
			}
		}
		await writeFile(path, whole);
	}
});

it("refuses renditions whose key frames are not aligned", async () => {
	const shifted = {
		...track,
		name: "other",
		segments: track.segments.map((segment) => ({ ...segment, startSeconds: segment.startSeconds * 1.1 })),
	};
	await expect(prove(encode, { ...proof, videos: [track, shifted] })).rejects.toThrow(
		"The key frames of other and h264_180 are not aligned.",
	);
});

it("refuses a declared file that is not there", async () => {
	await expect(prove(encode, { ...proof, files: [...proof.files, "hls/gone.m3u8"] })).rejects.toThrow(
		"hls/gone.m3u8 was not made.",
	);
});

it("refuses a declared file that is a link", async () => {
	const directory = folder.outputs();
	await cp(encode.directory, directory, { recursive: true });
	await rm(join(directory, "storyboard.vtt"));
	await symlink("/etc/passwd", join(directory, "storyboard.vtt"));
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow("storyboard.vtt was not made.");
});

it("refuses a file that does not decode", async () => {
	const file = await open(join(encode.directory, "web.mp4"), "r+");
	const { size } = await file.stat();
	await file.write(Buffer.alloc(2000, 0xa5), 0, 2000, size - 6000);
	await file.close();
	await expect(prove(encode, proof)).rejects.toThrow();
	await rm(join(encode.directory, "web.mp4"));
});
