import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { processVideo } from "../../src/index.ts";
import { type Watermark, watermarkInput } from "../../src/plan/watermark.ts";
import { type Folder, job, program, tools } from "./sources.ts";

export const crop = ({ width, height, x, y }: Watermark) => `crop=${width}:${height}:${x}:${y}`;

/** How much a picture is like another, whatever their brightness: 1 is the same. */
export function likeness(one: Buffer, other: Buffer): number {
	const mean = (bytes: Buffer) => bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
	const [a, b] = [mean(one), mean(other)];
	let product = 0;
	let [ones, others] = [0, 0];
	for (const [n, value] of one.entries()) {
		const [left, right] = [value - a, (other[n] as number) - b];
		product += left * right;
		ones += left * left;
		others += right * right;
	}
	return product / Math.sqrt(ones * others);
}

/** Makes videos with a watermark in the folder of a test file, and looks for it. */
export function openWatermarks(folder: Folder) {
	const grey = async (input: string[], filter: string): Promise<Buffer> => {
		const raw = folder.path("grey.raw");
		await program("ffmpeg", "-y", ...input, "-vf", `format=gray,${filter}`, "-frames:v", "1", "-f", "rawvideo", raw);
		return readFile(raw);
	};
	/** The words must be there as letters: like the original, and much brighter than what surrounds them. */
	async function expectLegible(file: string, place: Watermark) {
		const found = await grey(["-i", file], crop(place));
		const letters = await grey(watermarkInput, `scale=${place.width}:${place.height}:flags=area`);
		expect(likeness(found, letters), `${file}: letters`).toBeGreaterThan(0.75);
		const brightness = (keep: (value: number) => boolean) => {
			const kept = [...found].filter((_, n) => keep(letters[n] as number));
			return kept.reduce((sum, value) => sum + value, 0) / kept.length;
		};
		expect(brightness((value) => value > 220) - brightness((value) => value < 30), `${file}: contrast`).toBeGreaterThan(
			80,
		);
	}

	const make = async (size: string, colour: string, watermark: boolean, renditions = ["h264_720", "h264_1080"]) => {
		const source = await folder.source("source.mp4", {
			inputs: ["-f", "lavfi", "-i", `${colour}${colour.includes("=") ? ":" : "="}size=${size}:rate=10:duration=0.4`],
		});
		const directory = folder.outputs();
		const wanted = job(renditions);
		const made = await processVideo({
			source,
			directory,
			tools,
			job: { ...wanted, plan: { ...wanted.plan, watermark } },
		});
		return { ...made, file: (name: string) => join(directory, name) };
	};

	return { grey, expectLegible, make };
}
