import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cutVideo, processVideo } from "@reelmill/media";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Finished, openCuts } from "../support/cuts.ts";
import { kindsOfCuts } from "../support/kinds-of-cuts.ts";
import { decodes, type Folder, job, keyFrameTimes, openFolder, streamsOf, tools } from "../support/sources.ts";

/** How many cuts by chance are made, and the number that they follow from. */
const count = Number(process.env.REELMILL_CUTS ?? kindsOfCuts.length);
const seed = Number(process.env.REELMILL_CUTS_SEED ?? 1);

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** Returns numbers from 0 to 1 that look like chance, the same in each run. */
function numbers(state: number): () => number {
	let last = state;
	return () => {
		last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0;
		return last / 2 ** 32;
	};
}

/** Chooses a stretch: half of the ends are beside a key frame, or at the ends of the whole, and some are short. */
function chooseStretch({ keys, total }: Finished, next: () => number): readonly [first: number, end: number] {
	const choose = () => {
		const key = [...keys, total][Math.floor(next() * (keys.length + 1))] as number;
		const frame = next() < 0.5 ? Math.floor(next() * total) : key + Math.floor(next() * 5) - 2;
		return Math.max(0, Math.min(total, frame));
	};
	const [one, other] = [choose(), choose()].sort((a, b) => a - b) as [number, number];
	const first = Math.min(one, total - 1);
	const isShort = next() < 0.15;
	return [first, isShort ? Math.min(total, first + 1 + Math.floor(next() * 3)) : Math.max(first + 1, other)];
}

describe.each(kindsOfCuts.map((kind, n) => ({ ...kind, n })))("of $name", ({ n, name: _, seconds, ...options }) => {
	const made = Math.max(1, Math.ceil((count - n) / kindsOfCuts.length));
	const next = numbers(seed * 1000 + n);
	let cuts: Awaited<ReturnType<typeof openCuts>>;
	let last: Finished;
	beforeAll(async () => {
		cuts = await openCuts(folder, seconds, options);
		last = cuts.whole;
	});

	it.each(Array.from({ length: made }, (_, n) => n + 1))(
		"keeps each frame and the sound of cut %d by chance",
		async (n) => {
			// Each fourth is cut out of the one before.
			const from = n % 4 === 0 ? last : cuts.whole;
			const [first, end] = chooseStretch(from, next);
			const off = 0.45 * next();
			try {
				const { cut, finished } = await cuts.expectCut(first, end, { from, off });
				for (const { encoded_frames } of cut.renditions) expect(encoded_frames).toBeLessThan(4 * from.rate);
				last = finished;
			} catch (error) {
				throw new Error(`From ${first} to ${end} of ${from.total}, key frames at ${from.keys}`, { cause: error });
			}
		},
	);
});

describe("of a plain video", () => {
	let cuts: Awaited<ReturnType<typeof openCuts>>;
	beforeAll(async () => {
		cuts = await openCuts(folder, 15);
	});

	it.each([
		["from a key frame to a key frame, of which nothing is encoded", 60, 180],
		["of one group of pictures", 70, 95],
		["of all frames", 0, 450],
		["that begins two frames before a key frame", 58, 163],
		["of one frame", 75, 76],
	])("makes a video of a stretch %s", async (_, first, end) => {
		const { cut } = await cuts.expectCut(first, end);
		if (first % 60 === 0) expect(cut.renditions.map((one) => one.encoded_frames)).toEqual([0, 0]);
	});

	it("cuts a cut like any other video", async () => {
		const { finished } = await cuts.expectCut(37, 163);
		await cuts.expectCut(10, 100, { from: finished });
	});

	it("encodes no frame alone before a key frame, and none behind a key frame", async () => {
		const { cut } = await cuts.expectCut(59, 121);
		// Two key frames in a row could be taken for one.
		expect(cut.renditions.map((one) => one.encoded_frames)).toEqual([61, 61]);
	});

	it.each([
		["web.mp4 alone", ["h264_720"], { hls: false, dash: false }],
		["a web.mp4 of H.264 beside AV1", ["av1_720"], { hls: true, dash: false }],
	] as const)("cuts %s", async (_, renditions, outputs) => {
		const [source, directory] = [folder.outputs(), folder.outputs()];
		const { plan, limits } = job([...renditions], { ...outputs, og_thumbnail: false });
		const clip = await folder.source("short.mp4", { size: "160x90", rate: "30", seconds: 3 });
		const before = await processVideo({ source: clip, directory: source, tools, job: { plan, limits } });
		const made = await cutVideo({ source, directory, tools, startSeconds: 0.5, endSeconds: 2.5 });
		expect(made.files).toEqual(before.files);
		expect(made.renditions.map(({ name }) => name)).toEqual(before.renditions.map(({ name }) => name));
		const streams = await streamsOf(join(directory, "web.mp4"));
		expect(streams.map(({ codec_name }) => codec_name)).toEqual(["h264", "aac"]);
		// The last packet of the sound is whole.
		for (const { duration } of streams) expect(Math.abs(Number(duration) - 2)).toBeLessThanOrEqual(1024 / 48_000);
		await decodes(join(directory, "web.mp4"));
		// What is encoded behind the last group begins with a key frame, which AV1 lacks.
		const again = folder.outputs();
		await cutVideo({ source: directory, directory: again, tools, startSeconds: 0.3, endSeconds: 2 });
		await decodes(join(again, "web.mp4"));
	});

	it("encodes a rendition whole if its decoder was set up differently, with the key frames of the others", async () => {
		const [source, directory] = [folder.outputs(), folder.outputs()];
		await cp(cuts.directory, source, { recursive: true });
		const track = join(source, "media/h264_90.mp4");
		const bytes = await readFile(track);
		// The level in avcC.
		const level = bytes.indexOf("avcC") + 4 + 3;
		bytes.writeUInt8(bytes.readUInt8(level) + 1, level);
		await writeFile(track, bytes);
		const { report } = await cutVideo({ source, directory, tools, startSeconds: 37 / 30, endSeconds: 163 / 30 });
		expect((report.cut as { renditions: object[] }).renditions).toEqual([
			{ name: "h264_90", encoded_frames: 126, whole: true },
			{ name: "av1_90", encoded_frames: 23, whole: false },
		]);
		expect(report.decisions).toContainEqual(expect.objectContaining({ about: "h264_90", decision: "encoded whole" }));
		const [h264, av1] = await Promise.all(
			["h264_90", "av1_90"].map((name) => keyFrameTimes(join(directory, `media/${name}.mp4`))),
		);
		expect(h264).toEqual([0, 0.767, 2.767]);
		expect(h264).toEqual(av1);
		await decodes(join(directory, "media/h264_90.mp4"));
	});
});
