import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChunked } from "../support/chunked.ts";
import { type Folder, openFolder } from "../support/sources.ts";

let folder: Folder;
let chunked: ReturnType<typeof openChunked>;
beforeAll(async () => {
	folder = await openFolder();
	chunked = openChunked(folder);
});
afterAll(() => folder.close());

it("chunks join into what one encode makes: the same sound and pictures, as good at the seams", async () => {
	const { file } = await chunked.expectJoined("an MP4 with B-frames and few key frames");
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
