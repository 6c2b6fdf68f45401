import { type ObjectStorage, StorageError } from "@reelmill/engine";
import { createFakeClock, type FakeClock } from "@reelmill/engine/testing";
import { describe, expect, it } from "vitest";
import { storeFiles } from "../../../src/jobs/outputs/outputs.ts";
import { createLocalStores } from "../../../src/storage/stores/local-stores.ts";
import { whileMoving } from "../../../src/storage/stores/while-moving.ts";

async function* chunks(
	count: number,
	pause: () => Promise<unknown> = async () => undefined,
): AsyncGenerator<Uint8Array> {
	for (let number = 0; number < count; number++) {
		yield new Uint8Array(1);
		await pause();
	}
}
async function pass(clock: FakeClock, seconds: number): Promise<void> {
	for (let second = 0; second < seconds; second++) await clock.advance(1000);
}

describe("bytes on their way to a disk", () => {
	it("may take as long as they come, or the disk takes one after the other", async () => {
		const clock = createFakeClock();
		const stored = whileMoving(
			chunks(3, () => pass(clock, 60)),
			clock,
			async (bytes) => {
				let count = 0;
				for await (const { length } of bytes) {
					count += length;
					await pass(clock, 4);
				}
				return count;
			},
		);
		expect(await stored).toBe(3);
		expect(clock.sleepers()).toBe(0);
	});

	it("are given back piece by piece as the disk has them", async () => {
		const back: Uint8Array[] = [];
		const put: ObjectStorage["put"] = async (key, bytes, options) => {
			for await (const piece of bytes) options?.release?.(piece);
			return { key, size: 3 };
		};
		const { outputs } = createLocalStores({ outputs: { put }, uploads: {} } as never, {
			clock: createFakeClock(),
			inTime: (work) => work,
		});
		const release = (piece: Uint8Array) => void back.push(piece);
		for (const keepsSums of [true, false]) {
			async function* entries() {
				yield { path: "og.jpg", bytes: chunks(3), release };
			}
			await storeFiles(outputs, "v/1/", entries(), { keepsSums });
		}
		expect(back).toHaveLength(6);
	});

	it("are given up where the disk takes nothing for 6 s, with the work that goes on told, its signal aborted, and no more bytes for it", async () => {
		const clock = createFakeClock();
		let [wake, left] = [() => {}, 0];
		const later: Promise<unknown>[] = [];
		const stored = whileMoving(
			chunks(10),
			clock,
			async (bytes, givenUp) => {
				const iterator = bytes[Symbol.asyncIterator]();
				await iterator.next();
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
				expect(givenUp.aborted).toBe(true);
				await iterator.next();
				left++;
			},
			(work) => later.push(work),
		);
		const outcome = expect(stored).rejects.toBeInstanceOf(StorageError);
		await pass(clock, 8);
		await outcome;
		expect(later).toHaveLength(1);
		wake();
		await expect(later[0]).rejects.toBeInstanceOf(StorageError);
		expect(left).toBe(0);
	});

	it("fail as the store does, at once", async () => {
		const clock = createFakeClock();
		const refused = whileMoving(chunks(1), clock, () => Promise.reject(new RangeError("offset")));
		await expect(refused).rejects.toThrow("offset");
		expect(clock.sleepers()).toBe(0);
	});
});
