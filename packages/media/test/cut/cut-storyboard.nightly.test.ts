import { execFile } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cutVideo } from "../../src/index.ts";
import { openFragments, writeFragments } from "../../src/mp4/fragments.ts";
import { openCuts } from "../support/cuts.ts";
import { type Folder, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let cuts: Awaited<ReturnType<typeof openCuts>>;
beforeAll(async () => {
	folder = await openFolder();
	cuts = await openCuts(folder, 5);
});
afterAll(() => folder.close());

/** The brightness of a storyboard's sheet, ten pictures wide. */
async function sheetOf(directory: string): Promise<Buffer> {
	const args = ["-v", "error", "-i", join(directory, "storyboard/00001.jpg"), "-vf", "format=gray"];
	return (
		await promisify(execFile)("ffmpeg", [...args, "-f", "rawvideo", "-"], { encoding: "buffer", maxBuffer: 2 ** 23 })
	).stdout;
}

/** One picture of it. */
function tile(sheet: Buffer, place: string): Buffer {
	const [x = 0, y = 0, width = 0, height = 0] = place.split(",").map(Number);
	const lines = Array.from({ length: height }, (_, line) => (y + line) * 10 * width + x);
	return Buffer.concat(lines.map((at) => sheet.subarray(at, at + width)));
}

it("takes the storyboard of a long cut from the source's own", async () => {
	const source = folder.outputs();
	await cp(cuts.directory, source, { recursive: true });
	const seconds = 4 * 17;
	await rm(join(source, "media/av1_90.mp4"));
	for (const track of ["h264_90.mp4", "audio.m4a"]) {
		const file = await openFragments(join(cuts.directory, "media", track));
		await writeFragments(
			join(source, "media", track),
			file,
			Array.from({ length: 18 }, () => file.fragments.slice(0, 2)).flat(),
		);
		await file.close();
	}
	const [whole, cut, again] = [folder.outputs(), folder.outputs(), folder.outputs()];
	// The first key frames are a fifth of a second apart.
	await cutVideo({ source, directory: whole, tools, startSeconds: 1.8, endSeconds: seconds + 1.8 });
	const made = await cutVideo({ source: whole, directory: cut, tools, startSeconds: 3.1, endSeconds: seconds - 1.5 });
	await cutVideo({ source: whole, directory: again, tools, startSeconds: 0, endSeconds: seconds - 1.5 });
	expect(made.files).toEqual(expect.arrayContaining(["storyboard.vtt", "storyboard/00001.jpg", "og.jpg"]));
	const cues = async (directory: string) =>
		[...(await readFile(join(directory, "storyboard.vtt"), "utf8")).matchAll(/^(\S+) -->.*\n.*#xywh=(.*)$/gm)].map(
			([, from = "", place = ""]) => ({ seconds: Number(from.slice(3, 5)) * 60 + Number(from.slice(6)), place }),
		);
	const [before, after] = [await cues(whole), await cues(cut)];
	const kept = before.filter((one) => one.seconds >= 3.1 && one.seconds < seconds - 1.5);
	expect(after).toHaveLength(kept.length);
	// The first picture is shown from the beginning on, though it is of a later moment.
	expect(after.map((one) => one.seconds)).toEqual(
		kept.map((one, n) => (n === 0 ? 0 : Math.round((one.seconds - 3.1) * 1000) / 1000)),
	);
	const sheets = await Promise.all([whole, cut].map(sheetOf));
	for (const [n, { place }] of after.entries()) {
		const [old, now] = [tile(sheets[0] as Buffer, kept[n]?.place ?? ""), tile(sheets[1] as Buffer, place)];
		const off = old.reduce((sum, value, at) => sum + Math.abs(value - (now[at] ?? 0)), 0) / old.length;
		expect(off, `picture ${n}`).toBeLessThan(3);
	}
	for (const directory of [cut, again]) {
		const manifest = await readFile(join(directory, "dash/manifest.mpd"), "utf8");
		const [columns, rows] = [10, Math.ceil((await cues(directory)).length / 10)];
		expect(manifest).toContain(`duration="${30 * 2 * columns * rows}" startNumber="1"`);
		expect(manifest).toContain(`value="${columns}x${rows}"`);
	}
});
