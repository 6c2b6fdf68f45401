import { createFakeClock } from "@reelmill/engine/testing";
import { expect, it } from "vitest";
import type { Bytes, ObjectStorage } from "../../../src/ports/index.ts";
import { isJpeg, isWebVtt, readRecorded, recordedBytes } from "../../../src/storage/index.ts";
import { createInTime } from "../../../src/storage/stores/in-time.ts";

const MiB = 1024 * 1024;
const unavailable = { code: "storage_unavailable", status: 503 };

/** Bytes that tell how many chunks were taken, and whether they were left. */
function watched(chunks: readonly number[]) {
	const seen = { taken: 0, isLeft: false };
	const bytes: Bytes = {
		[Symbol.asyncIterator]: () => ({
			async next() {
				const length = chunks[seen.taken];
				if (length === undefined) return { done: true, value: undefined };
				seen.taken += 1;
				return { done: false, value: Buffer.alloc(length, 0xff) };
			},
			async return() {
				seen.isLeft = true;
				return { done: true, value: undefined };
			},
		}),
	};
	return { bytes, seen };
}
const storing = (size: number, bytes: Bytes) =>
	({
		capabilities: { presign: false, download: true },
		get: async () => ({ size, bytes }),
	}) as unknown as ObjectStorage;
const lengthOf = async (bytes: Bytes) => (await Array.fromAsync(bytes)).reduce((sum, { length }) => sum + length, 0);

it("passes on just the bytes that were recorded, and those of a range", async () => {
	expect(await lengthOf(await recordedBytes({ size: 10, bytes: watched([4, 6]).bytes }, 10))).toBe(10);
	expect(await lengthOf(await recordedBytes({ size: 10, bytes: watched([3]).bytes }, 10, 3))).toBe(3);
	expect(await lengthOf(await recordedBytes({ size: 0, bytes: watched([]).bytes }, 0))).toBe(0);
});

it.each([
	["a byte too many", [4, 7]],
	["bytes without end", Array.from({ length: 1000 }, () => 11)],
	["a byte too few", [4, 5]],
	["no byte", []],
])("throws in place of %s, and leaves what is read", async (_, chunks) => {
	const { bytes, seen } = watched(chunks);
	const passed: number[] = [];
	const read = async () => {
		for await (const { length } of await recordedBytes({ size: 10, bytes }, 10)) passed.push(length);
	};
	await expect(read()).rejects.toMatchObject(unavailable);
	expect(passed.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(10);
	expect(seen.taken).toBeLessThanOrEqual(2);
	expect(seen.isLeft).toBe(true);
});

it("reads nothing of an object of another size, and frees it", async () => {
	const { bytes, seen } = watched([5]);
	await expect(recordedBytes({ size: 4096 * MiB, bytes }, 10, 5)).rejects.toMatchObject(unavailable);
	expect(seen).toEqual({ taken: 0, isLeft: true });
});

it("frees what is left before its first byte", async () => {
	const { bytes, seen } = watched([10]);
	await (await recordedBytes({ size: 10, bytes }, 10))[Symbol.asyncIterator]().return?.();
	expect(seen).toEqual({ taken: 0, isLeft: true });
});

const inTime = createInTime(createFakeClock());
const frame = { key: "a", size: 10, largest: MiB, isOfType: (bytes: Uint8Array) => bytes[0] === 0xff };

it("reads an object whole, in the size and of the type that were recorded", async () => {
	const whole = await readRecorded(storing(10, watched([4, 6]).bytes), frame, inTime);
	expect(whole).toHaveLength(10);
	await expect(
		readRecorded(storing(10, watched([10]).bytes), { ...frame, isOfType: isJpeg }, inTime),
	).rejects.toMatchObject(unavailable);
	await expect(readRecorded(storing(11, watched([11]).bytes), frame, inTime)).rejects.toMatchObject(unavailable);
});

it("asks for nothing that was recorded as too large", async () => {
	const { bytes, seen } = watched([MiB, MiB]);
	await expect(readRecorded(storing(2 * MiB, bytes), { ...frame, size: 2 * MiB }, inTime)).rejects.toMatchObject(
		unavailable,
	);
	expect(seen.taken).toBe(0);
});

it("gives up what drips after the time that somebody waits, and leaves it", async () => {
	const clock = createFakeClock();
	let isLeft = false;
	let next: () => void = () => undefined;
	const dripping = async function* () {
		try {
			for (;;) {
				yield Buffer.alloc(1, 0xff);
				await new Promise<void>((resolve) => {
					next = resolve;
				});
			}
		} finally {
			isLeft = true;
		}
	};
	const reading = readRecorded(storing(10, dripping()), frame, createInTime(clock));
	const outcome = expect(reading).rejects.toMatchObject(unavailable);
	await new Promise((resolve) => setImmediate(resolve));
	await clock.advance(6001);
	await outcome;
	next();
	await expect.poll(() => isLeft).toBe(true);
});

it.each([
	["WEBVTT", true],
	["WEBVTT\n\n", true],
	["WEBVTT - a title", true],
	["\ufeffWEBVTT\r\n", true],
	["WEBVTTX", false],
	["webvtt", false],
	["<html>", false],
	["", false],
])("takes %j for WebVTT: %s", (text, is) => {
	expect(isWebVtt(Buffer.from(text))).toBe(is);
});
