import { cp, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Encode } from "../src/encode/encode.ts";
import { MediaError, planEncode, type SourceProbe } from "../src/index.ts";
import { readTrack, type Track } from "../src/mp4/track.ts";
import { type Proof, prove } from "../src/prove.ts";
import { openPrograms } from "../src/run/programs.ts";
import { made } from "./support/made.ts";
import { type Folder, job, openFolder, program, tools } from "./support/sources.ts";

let folder: Folder;
let encode: Encode;
let proof: Proof;
let track: Track;

beforeAll(async () => {
	folder = await openFolder();
	const { files, directory, source, probes } = await made("a small clip");
	const plan = planEncode(probes[0] as SourceProbe, job());
	const paths = { video: () => "", audio: () => "" };
	encode = { programs: await openPrograms(tools), source, plan, paths, directory };
	track = await readTrack(join(directory, "media/h264_90.mp4"), "h264_90");
	proof = { files, videos: [track], sounds: [] };
});
afterAll(() => folder.close());

/** A folder with the outputs, in which a test may damage them. */
async function copied(): Promise<string> {
	const directory = folder.outputs();
	await cp(encode.directory, directory, { recursive: true });
	return directory;
}

/** Such a folder, with so many other bytes near the end of web.mp4. */
async function withDamagedWeb(bytes: number): Promise<string> {
	const directory = await copied();
	const file = await open(join(directory, "web.mp4"), "r+");
	await file.write(Buffer.alloc(bytes, 0xa5), 0, bytes, (await file.stat()).size - 6000);
	await file.close();
	return directory;
}

/** The encode of a source that lasts this long. */
const lasting = (durationSeconds: number): Encode => ({ ...encode, plan: { ...encode.plan, durationSeconds } });

it("takes what was made well", async () => {
	const found = await prove(encode, proof);
	expect(found).toMatchObject({
		files: proof.files.length,
		key_frames: 2,
		tracks: [{ name: "h264_90", seconds: 3.003, bytes: track.bytes }],
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
	await expect(prove(lasting(2), proof)).rejects.toThrow("h264_90 lasts 3.003 s where 2 s were planned.");
});

it("refuses what differs by more than a tenth of a second", async () => {
	await expect(prove(lasting(3.093), proof)).resolves.toMatchObject({
		duration_off_seconds: 0.09,
	});
	await expect(prove(lasting(3.12), proof)).rejects.toMatchObject({
		reason: "invalid_media",
	});
	await expect(prove(lasting(2.88), proof)).rejects.toThrow("h264_90 lasts 3.003 s");
});

it("refuses a web.mp4 whose packets are not those of the tracks, and do not decode", async () => {
	const directory = await withDamagedWeb(3000);
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow("ffmpeg ended with code 1");
});

it("refuses a web.mp4 that is shorter than the tracks", async () => {
	const directory = await copied();
	const [whole, web] = [encode.directory, directory].map((folder) => join(folder, "web.mp4")) as [string, string];
	await program("ffmpeg", "-y", "-i", whole, "-t", "2", "-c", "copy", web);
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow("of its 3.0 seconds");
});

it("refuses a track of either codec whose bytes are damaged, wherever they are", async () => {
	const directory = await copied();
	for (const name of ["h264_90", "av1_90"]) {
		const path = join(directory, `media/${name}.mp4`);
		const bytes = await readFile(path);
		const whole = await readTrack(path, name);
		const part = { ...proof, videos: [whole] };
		await prove({ ...encode, directory }, part);
		for (const { offset, length } of whole.segments) {
			for (const share of [0.3, 0.6, 0.9]) {
				const damaged = Buffer.from(bytes);
				damaged.fill(0xa5, offset + Math.floor(share * length), offset + Math.floor((share + 0.1) * length));
				await writeFile(path, damaged);
				await expect(prove({ ...encode, directory }, part), `${name}, ${share} of a segment`).rejects.toThrow();
			}
		}
		await writeFile(path, bytes);
	}
});

it("refuses renditions whose key frames are not aligned", async () => {
	const shifted = {
		...track,
		name: "other",
		segments: track.segments.map((segment) => ({ ...segment, startSeconds: segment.startSeconds * 1.1 })),
	};
	await expect(prove(encode, { ...proof, videos: [track, shifted] })).rejects.toThrow(
		"The key frames of other and h264_90 are not aligned.",
	);
});

it("refuses a declared file that is not there", async () => {
	await expect(prove(encode, { ...proof, files: [...proof.files, "hls/gone.m3u8"] })).rejects.toThrow(
		"hls/gone.m3u8 was not made.",
	);
});

it("refuses a declared file that is a link", async () => {
	const directory = await copied();
	await rm(join(directory, "storyboard.vtt"));
	await symlink("/etc/passwd", join(directory, "storyboard.vtt"));
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow("storyboard.vtt was not made.");
});

it("refuses a file that does not decode", async () => {
	const directory = await withDamagedWeb(2000);
	await expect(prove({ ...encode, directory }, proof)).rejects.toThrow();
});
