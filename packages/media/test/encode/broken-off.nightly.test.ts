import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planDigest } from "../../src/encode/encode-chunk.ts";
import { encodeChunk, planEncode, probe, processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let source: string;
beforeAll(async () => {
	folder = await openFolder();
	// Long enough to be cut: two chunks of 20 s or more.
	source = await folder.source("long.mp4", { size: "160x90", rate: "10", seconds: 41 });
});
afterAll(() => folder.close());

const videoJob = job(["h264_720"], { og_thumbnail: false });
const cancelled = new Error("The job was cancelled.");
const commands = async () =>
	(await promisify(execFile)("ps", ["-A", "-o", "args="])).stdout
		.split("\n")
		.filter((line) => line.includes(folder.folder));

describe("an abort in the middle of a chunk", () => {
	it("ends both chunks at once, and another attempt makes the whole", async () => {
		const stop = new AbortController();
		const running: string[][] = [];
		const directory = folder.outputs();
		const attempt = { source, directory, tools, job: videoJob, cores: 16 };
		const onProgress = (percent: number) => {
			if (percent > 1 && percent < 90) stop.abort(cancelled);
		};
		const logger = {
			...{ info() {}, warn() {}, error() {} },
			debug: ({ command = "" }: { command?: string }) => void running.push(command.match(/start_frame=\d+/g) ?? []),
		};
		await expect(processVideo({ ...attempt, signal: stop.signal, onProgress, logger })).rejects.toBe(cancelled);
		expect(running.flat().sort()).toEqual(["start_frame=0", "start_frame=200"]);
		expect(await commands()).toEqual([]);

		await rm(directory, { recursive: true });
		const { report, files } = await processVideo(attempt);
		expect(files).toContain("web.mp4");
		expect(report.decisions).toContainEqual(expect.objectContaining({ decision: "in 2 chunks at once" }));
	});

	it("that is encoded for another worker leaves nothing running, and another attempt makes it", async () => {
		const stop = new AbortController();
		const chunk = {
			...{ source, directory: folder.outputs(), job: videoJob, chunk: { first: 200, end: 410 }, tools },
			digest: planDigest(planEncode(await probe(source, tools), videoJob)),
		};
		const onProgress = () => stop.abort(cancelled);
		await expect(encodeChunk({ ...chunk, signal: stop.signal, onProgress })).rejects.toBe(cancelled);
		expect(await commands()).toEqual([]);
		expect(await encodeChunk(chunk)).toMatchObject({ files: ["h264_90.mp4"], media: { duration_seconds: 21 } });
	});
});
