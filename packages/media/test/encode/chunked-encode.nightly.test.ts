import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { joinChunks } from "../../src/mp4/join-chunks.ts";
import {
	decodes,
	everything,
	type Folder,
	job,
	keyFrameTimes,
	lavfi,
	openFolder,
	program,
	streamsOf,
	tools,
} from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** Seven groups of 20 pictures: three chunks begin at 0, 4 and 10 s. */
const long = { size: "160x90", rate: "10", seconds: 12.2 };

async function made(source: string, chunks: number, marks = false) {
	const directory = folder.outputs();
	const { plan, limits } = job(["h264_720", "av1_720"], everything);
	const result = await processVideo({
		source,
		directory,
		tools,
		job: { plan: { ...plan, watermark: marks }, limits },
		chunks,
	});
	return { ...result, directory, file: (path: string) => join(directory, path) };
}

/** How alike each picture is to the one that stands at its place in the source, from 0 to 1. */
async function likeness(path: string, source: string): Promise<number[]> {
	const stats = folder.path("ssim.txt");
	const graph = `[0:v]settb=1/1000,setpts=N[a];[1:v]fps=10:start_time=0,scale=160x90,settb=1/1000,setpts=N[b];[a][b]ssim=stats_file=${stats}:shortest=1`;
	await program("ffmpeg", "-i", path, "-i", source, "-lavfi", graph, "-f", "null", "-");
	return [...(await readFile(stats, "utf8")).matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all));
}
const kinds = {
	"an MP4 with B-frames and few key frames": () =>
		folder.source("b-frames.mp4", { ...long, args: ["-preset", "fast", "-bf", "3", "-g", "44"] }),
	"a Matroska whose pictures begin late": () =>
		folder.source("late.mkv", { ...long, args: ["-bf", "2", "-g", "28", "-output_ts_offset", "3"] }),
	"an MP4 whose rate varies": () =>
		folder.source("varying.mp4", {
			...long,
			args: ["-vf", "select='not(between(mod(n\\,16)\\,2\\,8))'", "-fps_mode", "vfr", "-g", "24"],
		}),
	"a fragmented MP4": () =>
		folder.source("fragments.mp4", { ...long, args: ["-g", "18", "-movflags", "frag_keyframe+empty_moov"] }),
};

/** Expects of three chunks what one encode makes; gives the outputs of the three. */
async function expectJoined(kind: keyof typeof kinds) {
	const source = await kinds[kind]();
	const [one, three] = [await made(source, 1), await made(source, 3)];
	expect(three.report.decisions).toContainEqual({
		about: "encoding",
		decision: "in 3 chunks at once",
		because: expect.any(String),
	});
	expect(three.files).toEqual(one.files);
	expect(await readdir(three.directory)).toEqual(await readdir(one.directory));
	expect(await readFile(three.file("media/audio.m4a"))).toEqual(await readFile(one.file("media/audio.m4a")));
	for (const track of ["h264_90", "av1_90"]) {
		const [whole, joined] = [one.file(`media/${track}.mp4`), three.file(`media/${track}.mp4`)];
		await decodes(joined);
		expect(await keyFrameTimes(joined)).toEqual([0, 2, 4, 6, 8, 10, 12]);
		const [expected, found] = [await likeness(whole, source), await likeness(joined, source)];
		expect(found).toHaveLength(expected.length);
		expect(Math.min(...found)).toBeGreaterThan(Math.min(...expected) - 0.02);
		for (const seam of [40, 100]) {
			for (const at of [seam - 1, seam]) expect(found[at]).toBeGreaterThan((expected[at] ?? 1) - 0.02);
		}
	}
	const lengths = async (file: string) =>
		(await streamsOf(file)).map(({ duration, nb_frames }) => [duration, nb_frames]);
	expect(await lengths(three.file("web.mp4"))).toEqual(await lengths(one.file("web.mp4")));
	return three;
}

it("chunks join into what one encode makes: the same sound and pictures, as good at the seams", async () => {
	const { file } = await expectJoined("an MP4 with B-frames and few key frames");
	// The fragments are numbered on, and there is no gap between their times.
	const bytes = await readFile(file("media/h264_90.mp4"));
	const boxes = [...bytes.toString("latin1").matchAll(/mfhd|tfdt/g)].map(({ 0: type, index }) => ({
		type,
		at: index + 8,
	}));
	expect(boxes.filter(({ type }) => type === "mfhd").map(({ at }) => bytes.readUInt32BE(at))).toEqual([
		1, 2, 3, 4, 5, 6, 7,
	]);
	expect(
		boxes.filter(({ type }) => type === "tfdt").map(({ at }) => Number(bytes.readBigUInt64BE(at)) / 10_000),
	).toEqual([0, 2, 4, 6, 8, 10, 12]);
});

describe("chunks", () => {
	it.each(["a Matroska whose pictures begin late", "an MP4 whose rate varies", "a fragmented MP4"] as const)(
		"of %s join into what one encode makes: the same sound and pictures, as good at the seams",
		async (kind) => void (await expectJoined(kind)),
	);

	it("carry the watermark, and the longer sound, as the whole does", async () => {
		const source = await folder.source("long-sound.mp4", {
			...long,
			inputs: lavfi("testsrc2=size=160x90:rate=10:duration=9", "sine=duration=12.2"),
		});
		const [one, three] = [await made(source, 1, true), await made(source, 3, true)];
		const alike = await likeness(three.file("media/h264_90.mp4"), one.file("media/h264_90.mp4"));
		expect(alike).toHaveLength(122);
		expect(Math.min(...alike)).toBeGreaterThan(0.95);
	});

	it("that can't be encoded leave the source to be encoded as one, which the report says", async () => {
		const failing = folder.path("failing-ffmpeg");
		await writeFile(
			failing,
			`#!/bin/sh\ncase "$*" in *start_frame*) echo "no chunks here" >&2; exit 1;; esac\nexec ffmpeg "$@"\n`,
			{ mode: 0o755 },
		);
		const source = await folder.source("five-seconds.mp4", { size: "160x90", seconds: 5 });
		const result = await processVideo({
			source,
			directory: folder.outputs(),
			tools: { ...tools, ffmpeg: failing },
			job: job(),
			chunks: 2,
		});
		expect(result.renditions).toHaveLength(1);
		expect(result.report.decisions).toContainEqual({
			about: "encoding",
			decision: "as one",
			because: expect.stringContaining("no chunks here"),
		});
	});

	it("of other settings are not joined", async () => {
		const [a, b] = [
			await made(await folder.source("wide.mp4", { size: "200x90", seconds: 1 }), 1),
			await made(await folder.source("narrow.mp4", { size: "160x90", seconds: 1 }), 1),
		];
		const files = [a.file("media/h264_90.mp4"), b.file("media/h264_90.mp4")];
		await expect(joinChunks(files, folder.path("joined.mp4"))).rejects.toThrow("set their decoders up differently");
	});
});

it("chunks of a source that breaks off blame the source", async () => {
	const whole = await readFile(
		await folder.source("whole.mp4", { size: "160x90", seconds: 8, args: ["-g", "25", "-movflags", "+faststart"] }),
	);
	const damaged = folder.path("damaged.mp4");
	await writeFile(damaged, Buffer.concat([whole.subarray(0, whole.length * 0.6), Buffer.alloc(whole.length * 0.4)]));
	const running = processVideo({ source: damaged, directory: folder.outputs(), tools, job: job(), chunks: 2 });
	await expect(running).rejects.toMatchObject({ reason: "invalid_media" });
});
