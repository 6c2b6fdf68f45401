import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeArguments, type MediaJob, makeMezzanine, planEncode, probe, processVideo } from "../../src/index.ts";
import { type Folder, job, openFolder, program, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

const area = 160 * 90;
const bounded = (pixels: number, seconds = 10): MediaJob => ({
	...job(["h264_720"]),
	limits: { max_duration_seconds: seconds, max_decoded_pixels: pixels },
});
/** Resolves to what became of the job. */
const fate = (source: string, of: MediaJob) =>
	processVideo({ source, directory: folder.outputs(), tools, job: of }).then(
		() => "made",
		(error: unknown) => error,
	);
const refusal = (message: string) => ({
	name: "MediaError",
	reason: "dimensions_too_large",
	message: expect.stringContaining(message),
});

/**
 * A movie of one sample that holds the whole stream. Without a picture's time in it, it lasts as long as all of them.
 */
async function oneSample(name: string, from: string): Promise<string> {
	const bytes = await readFile(from);
	const body = (type: string) => bytes.indexOf(type) + 4;
	const [stsz, stts, stsc, stco] = ["stsz", "stts", "stsc", "stco"].map(body) as [number, number, number, number];
	const count = bytes.readUInt32BE(stsz + 8);
	const sizes = Array.from({ length: count }, (_, n) => bytes.readUInt32BE(stsz + 12 + 4 * n));
	bytes.writeUInt32BE(1, stsz + 8);
	bytes.writeUInt32BE(
		sizes.reduce((sum, size) => sum + size),
		stsz + 12,
	);
	const delta = bytes.readUInt32BE(stts + 12);
	for (const [at, value] of [
		[stts + 4, 1],
		[stts + 8, 1],
		[stts + 12, delta * count],
		[stsc + 4, 1],
		[stsc + 12, 1],
		[stco + 4, 1],
	] as const)
		bytes.writeUInt32BE(value, at);
	await writeFile(folder.path(name), bytes);
	return folder.path(name);
}

describe("what the packets hold", () => {
	it("is counted against the budget, and the refusal names both", async () => {
		const source = await folder.source("fits.mp4", { size: "160x90", seconds: 2 });
		expect(await fate(source, bounded(50 * area))).toBe("made");
		expect(await fate(source, bounded(40 * area))).toMatchObject(
			refusal("50 pictures of 160x90 are 0.0 billion pixels. The budget is 0.0 billion pixels"),
		);
	});

	it("is counted whatever the header says of the frame rate", async () => {
		const source = await folder.source("fast.mp4", { size: "160x90", rate: "240", seconds: 1, sound: false });
		const bytes = await readFile(source);
		// A track of a second that claims to have one frame in it: its length is that of the edit list.
		const slow = bytes.indexOf("mdhd") + 16;
		bytes.writeUInt32BE(bytes.readUInt32BE(slow) * 8, slow);
		await writeFile(folder.path("claims-30.mp4"), bytes);
		const claimed = await probe(folder.path("claims-30.mp4"), tools);
		expect(claimed.video.packets).toBe(240);
		expect(await fate(folder.path("claims-30.mp4"), bounded(200 * area))).toMatchObject(
			refusal("240 pictures of 160x90"),
		);
	});

	it("counts with what an edit list hides, which is decoded all the same", async () => {
		const whole = await folder.source("whole.mp4", { size: "160x90", seconds: 4, args: ["-g", "1000", "-bf", "0"] });
		await program("ffmpeg", "-ss", "3", "-i", whole, "-c", "copy", folder.path("hidden.mp4"));
		const { video, durationSeconds } = await probe(folder.path("hidden.mp4"), tools);
		expect(durationSeconds).toBeCloseTo(1, 0);
		expect(video.packets).toBe(100);
	});

	it("may be a second longer than is allowed, as the whole may", () => {
		const planOf = (frames: number) =>
			planEncode(
				{
					...{
						container: "mov",
						durationSeconds: 10,
						length: { declaredSeconds: null, foundSeconds: 10 },
						width: 3840,
						height: 2160,
						audio: null,
						furtherAudio: [],
						earliestStream: null,
					},
					video: {
						...{
							index: 0,
							codec: "h264",
							width: 3840,
							height: 2160,
							rotation: 0,
							sampleAspectRatio: { numerator: 1, denominator: 1 },
						},
						...{
							frameRate: 60,
							motionRate: 60,
							variableFrameRate: false,
							unevenGaps: 0,
							interlaced: false,
							pixelFormat: "yuv420p",
							startSeconds: 0,
							endSeconds: 10,
							packets: frames,
							bytesBySecond: [],
						},
						colour: { matrix: "bt709", transfer: "bt709", primaries: "bt709", range: "tv" },
					},
				},
				job(["h264_720"], {}, 10),
			);
		expect(planOf(660).decoding).toMatchObject({ budget: 3840 * 2160 * 600 });
		expect(() => planOf(661)).toThrow(
			"661 pictures of 3840x2160 are 5.5 billion pixels. The budget is 5.0 billion pixels",
		);
	});

	it("is counted for outros as well", async () => {
		const source = await folder.source("outro.mp4", { size: "160x90", seconds: 2 });
		const made = makeMezzanine({ source, directory: folder.outputs(), tools, job: bounded(40 * area) });
		await expect(made).rejects.toMatchObject(refusal("50 pictures of 160x90"));
	});
});

describe("what the packets turn out to hold", () => {
	/** Two hundred pictures of AV1, each in a packet. */
	const honest = () => {
		const args = ["-c:v", "libsvtav1", "-preset", "12", "-svtav1-params", "pred-struct=1"];
		return folder.source("av1.mp4", { size: "160x90", seconds: 8, sound: false, args });
	};

	it("is counted while it is decoded: one packet of two hundred pictures", async () => {
		const source = await oneSample("one-packet.mp4", await honest());
		expect((await probe(source, tools)).video.packets).toBe(1);
		expect(await fate(source, bounded(200 * area))).toMatchObject(refusal("its packets hold more than"));
	});

	it("may be no larger than the budget has room for: ffmpeg is told so", async () => {
		const source = await folder.source("grows.mp4", { size: "160x90", seconds: 2 });
		const plan = planEncode(await probe(source, tools), bounded(1000 * area));
		// Of the budget's half, what each of fifty packets has; and a few more pictures than packets, as decoders make of
		// damage.
		expect(plan.decoding).toMatchObject({ pixels: 10 * area, frames: 113 });
		const args = encodeArguments(plan, source, { video: ({ name }) => name, audio: ({ name }) => name });
		expect(args[args.indexOf("-max_pixels") + 1]).toBe(String(10 * area));
	});

	it("is what an honest file has room for: two hundred packets of a picture", async () => {
		const directory = folder.outputs();
		const made = await processVideo({ source: await honest(), directory, tools, job: bounded(200 * area) });
		expect(made.files).toContain("web.mp4");
	});

	it("is bounded in chunks as well", async () => {
		const source = await folder.source("long.mp4", { size: "160x90", seconds: 6, args: ["-g", "25"] });
		const made = await processVideo({
			source,
			directory: folder.outputs(),
			tools,
			job: bounded(200 * area),
			chunks: 2,
		});
		expect(made.report.decisions).toContainEqual(expect.objectContaining({ decision: "in 2 chunks at once" }));
	});
});
