import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EncodePlan, MediaError, planEncode, probe, process as processMedia } from "../src/index.ts";
import { openPrograms, type Programs } from "../src/programs.ts";
import { type Proof, prove } from "../src/prove.ts";
import { readTrack, type Track } from "../src/track.ts";
import { type Folder, job, openFolder, tools } from "./sources.ts";

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
	await expect(prove(programs, plan, proof)).resolves.toBeUndefined();
});

it("blames the source where the outputs end before it does: ffmpeg itself would not", async () => {
	const failure = await prove(programs, { ...plan, durationSeconds: 5 }, proof).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(MediaError);
	expect(failure).toMatchObject({ reason: "invalid_media", message: "The video can be decoded only up to 3.0 of its 5.0 seconds." });
});

it("refuses outputs that are longer than planned", async () => {
	await expect(prove(programs, { ...plan, durationSeconds: 2 }, proof)).rejects.toThrow("h264_180 lasts 3 s where 2 s were planned.");
});

it("refuses renditions whose key frames are not aligned", async () => {
	const shifted = { ...track, name: "other", segments: track.segments.map((segment) => ({ ...segment, startSeconds: segment.startSeconds * 1.1 })) };
	await expect(prove(programs, plan, { ...proof, videos: [track, shifted] })).rejects.toThrow("The key frames of other and h264_180 are not aligned.");
});

it("refuses a declared file that is not there", async () => {
	await expect(prove(programs, plan, { ...proof, files: [...proof.files, "hls/gone.m3u8"] })).rejects.toThrow("hls/gone.m3u8 was not made.");
});

it("refuses a file that does not decode", async () => {
	const file = await open(join(proof.directory, "web.mp4"), "r+");
	const { size } = await file.stat();
	await file.write(Buffer.alloc(2000, 0xa5), 0, 2000, size - 6000);
	await file.close();
	await expect(prove(programs, plan, proof)).rejects.toThrow();
	await rm(join(proof.directory, "web.mp4"));
});
