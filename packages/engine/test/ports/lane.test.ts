import { createLane, StorageError } from "@reelmill/engine";
import { describe, expect, it } from "vitest";

const never = new Promise<never>(() => undefined);

describe("a lane", () => {
	it("runs so many at once, the others in order, and goes on after what fails", async () => {
		const lane = createLane(2);
		const ends: (() => void)[] = [];
		const begun: number[] = [];
		const run = (number: number) =>
			lane.run(async () => {
				begun.push(number);
				await new Promise<void>((resolve) => ends.push(resolve));
				if (number === 0) throw new Error("failed");
			});
		const outcomes = Promise.allSettled([0, 1, 2, 3].map(run));
		await Promise.resolve();
		expect(begun).toEqual([0, 1]);
		for (let ended = 0; ended < 4; ended++) {
			ends[ended]?.();
			await new Promise(setImmediate);
		}
		expect(begun).toEqual([0, 1, 2, 3]);
		expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
	});

	it("takes no more where ten thousand wait for what hangs", async () => {
		const lane = createLane(1);
		void lane.run(() => never);
		for (let waiting = 0; waiting < 10_000; waiting++) void lane.run(async () => undefined);
		await expect(lane.run(async () => undefined)).rejects.toBeInstanceOf(StorageError);
	});
});
