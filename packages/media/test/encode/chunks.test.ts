import { array, assert, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseChunks } from "../../src/encode/choose-chunks.ts";
import { type Chunk, splitFrames } from "../../src/encode/chunks.ts";
import { type ChunkWorkers, chunkCount, type SourceProbe } from "../../src/index.ts";
import type { EncodePlan } from "../../src/plan/encode-plan.ts";

const gop = 50;
const frameRate = { numerator: 25, denominator: 1 };
/** Bytes of groups of pictures, which last two seconds, as of seconds. */
const bySecond = (groups: readonly number[]) =>
	groups.flatMap((bytes, n) => [0, 1].map((second) => [2 * n + second, bytes / 2] as const));
const cut = (frames: number, count: number, groups: readonly number[] = []) =>
	splitFrames({ frames, gop, frameRate }, count, bySecond(groups));
const begins = (chunks: readonly Chunk[]) =>
	[...chunks.map(({ first }) => first), chunks.at(-1)?.end].map((frame) => (frame as number) / gop);

describe("a source is cut", () => {
	it.each([
		[305, 3, [0, 100, 200, 305]],
		[300, 2, [0, 150, 300]],
		[60, 8, [0, 50, 60]],
		[40, 4, [0, 40]],
	])("of %d frames without bytes into %d of about the same length", (frames, count, cuts) => {
		const chunks = cut(frames, count);
		expect([0, ...chunks.map(({ end }) => end)]).toEqual(cuts);
		expect(chunks.map(({ first }) => first)).toEqual(cuts.slice(0, -1));
	});

	const still = Array.from({ length: 20 }, () => 10);
	const lively = Array.from({ length: 20 }, () => 100);
	it.each([
		["that is lively first", [...lively, ...still], 2, [0, 16, 40]],
		["that is lively last", [...still, ...lively], 2, [0, 24, 40]],
		["that is lively in its middle", [...still, ...lively, ...still], 3, [0, 23, 36, 60]],
		["of a constant bit rate", [...still, ...still], 4, [0, 10, 20, 30, 40]],
		["without a byte", [0, 0, 0, 0], 2, [0, 2, 4]],
		["all of whose bytes are in one place", [...still.fill(0), 1e9, ...still], 3, [0, 17, 24, 41]],
	])("%s so that its chunks cost the same, and none lasts less than 14 s", (_, groups, count, expected) => {
		expect(begins(cut(groups.length * gop, count, groups))).toEqual(expected);
	});

	it("wherever its timestamps say that its bytes are", () => {
		const bytes = [-5, 3, 1e12].map((second) => [second, 100] as const);
		expect(begins(splitFrames({ frames: 600, gop, frameRate }, 2, bytes))).toEqual([0, 6, 12]);
	});

	it("into whole groups of pictures, none left out, and no other cut is more even", () => {
		const bytes = array(integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 14 });
		const cuts = record({ bytes, count: integer({ min: 1, max: 5 }), short: integer({ min: 0, max: gop - 1 }) });
		assert(
			property(cuts, ({ bytes, count, short }) => {
				const frames = bytes.length * gop - short;
				const chunks = cut(frames, count, bytes);
				expect(chunks).toHaveLength(Math.min(count, bytes.length));
				expect(begins(chunks).slice(0, -1).every(Number.isInteger)).toBe(true);
				expect(chunks.every(({ first, end }, n) => first === (chunks[n - 1]?.end ?? 0) && end > first)).toBe(true);
				expect(chunks.at(-1)?.end).toBe(frames);

				const total = bytes.reduce((sum, one) => sum + one, 0);
				const cost = (from: number, to: number) => {
					const length = Math.min(to * gop, frames) / gop - from;
					return (
						2 * length +
						(total === 0 ? 0 : (bytes.slice(from, to).reduce((sum, one) => sum + one, 0) / total) * (frames / gop))
					);
				};
				const least = Math.min(7, Math.floor(bytes.length / chunks.length));
				const fewest = (from: number, runs: number): number =>
					runs === 1
						? cost(from, bytes.length) ** 2
						: Math.min(
								...Array.from({ length: Math.max(0, bytes.length - from - least * runs + 1) }, (_, n) => {
									const to = from + least + n;
									return cost(from, to) ** 2 + fewest(to, runs - 1);
								}),
							);
				const squares = chunks.reduce((sum, { first, end }) => sum + cost(first / gop, Math.ceil(end / gop)) ** 2, 0);
				expect(squares).toBeCloseTo(fewest(0, chunks.length), 6);
			}),
		);
	});
});

describe("chunks", () => {
	const probe = { container: "mov", durationSeconds: 180, video: { interlaced: false } } as SourceProbe;
	it.each([
		[probe, 2, 1],
		[probe, 15, 1],
		[probe, 16, 2],
		[probe, 64, 8],
		[{ ...probe, durationSeconds: 39 }, 64, 1],
		[{ ...probe, durationSeconds: 65 }, 64, 3],
		[{ ...probe, container: "mpegts" as const }, 64, 1],
		[{ ...probe, video: { ...probe.video, interlaced: true } }, 64, 1],
	])("are as many as the machine and the source allow (%#)", (source, cores, expected) => {
		expect(chunkCount(source, cores)).toBe(expected);
	});

	const workers = (count: number, keepsChunks = false) =>
		({ count, keepsChunks }) as Pick<ChunkWorkers, "count" | "keepsChunks"> as ChunkWorkers;
	it.each([
		["nobody helps", 2, undefined, false, 1, false],
		["one helps", 2, workers(1), false, 2, true],
		["one helps, and H.264 is to come first", 2, workers(1), true, 1, false],
		["nobody helps, and finished ones are kept", 2, workers(0, true), false, 8, true],
		["H.264 is to come first, and finished ones are kept", 2, workers(0, true), true, 8, true],
		["all are encoded at once, and there is none to keep", 16, workers(0, true), false, 2, false],
	])("are as many as fit if %s", (_, cores, chunkWorkers, isAlone, expected, areShared) => {
		const source = { ...probe, video: { interlaced: false, bytesBySecond: [] } } as unknown as SourceProbe;
		const plan = { frames: 180 * 25, gop, frameRate } as EncodePlan;
		const made = chooseChunks({ cores, chunkWorkers, isAlone, byHardware: false }, source, plan);
		expect([made.chunks.length, made.workers !== undefined]).toEqual([expected, areShared]);
		// With hardware only chunks that are kept are made, all in software.
		const kept = chunkWorkers?.keepsChunks === true;
		const byHardware = chooseChunks({ cores, chunkWorkers, isAlone, byHardware: true }, source, plan);
		expect(byHardware.chunks).toHaveLength(kept ? expected : 1);
	});
});
