import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processVideo } from "../../src/index.ts";
import { joinChunks } from "../../src/mp4/join-chunks.ts";
import { long, openChunked } from "../support/chunked.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let chunked: ReturnType<typeof openChunked>;
beforeAll(async () => {
	folder = await openFolder();
	chunked = openChunked(folder);
});
afterAll(() => folder.close());

describe("chunks", () => {
	it.each(["a Matroska whose pictures begin late", "an MP4 whose rate varies", "a fragmented MP4"] as const)(
		"of %s join into what one encode makes: the same sound and pictures, as good at the seams",
		async (kind) => void (await chunked.expectJoined(kind)),
	);

	it("carry the watermark, and the longer sound, as the whole does", async () => {
		const source = await folder.source("long-sound.mp4", {
			...long,
			inputs: [
				"-f",
				"lavfi",
				"-i",
				"testsrc2=size=160x90:rate=10:duration=9",
				"-f",
				"lavfi",
				"-i",
				"sine=duration=12.2",
			],
		});
		const [one, three] = [await chunked.made(source, 1, true), await chunked.made(source, 3, true)];
		const alike = await chunked.likeness(three.file("media/h264_90.mp4"), one.file("media/h264_90.mp4"), "160x90");
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
			await chunked.made(await folder.source("wide.mp4", { size: "200x90", seconds: 1 }), 1),
			await chunked.made(await folder.source("narrow.mp4", { size: "160x90", seconds: 1 }), 1),
		];
		const files = [a.file("media/h264_90.mp4"), b.file("media/h264_90.mp4")].map((path, n) => ({
			path,
			startTicks: n * 25_000,
		}));
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
