import { describe, expect, it } from "vitest";
import { createLocker } from "../../src/upload/locker.ts";

const never = new AbortController().signal;
const noRequest = () => {};
/** There is no other server. */
const alone = async () => ({ release: async () => undefined });

describe("the upload locker", () => {
	it("gives one upload to one at a time, in order of arrival, and keeps other uploads out of it", async () => {
		const locker = createLocker(alone);
		const locks = [0, 1, 2].map(() => locker.newLock("a"));
		const order: number[] = [];
		const acquired = locks.map((lock, index) => lock.lock(never, noRequest).then(() => order.push(index)));
		await locker.newLock("b").lock(never, noRequest);
		await acquired[0];
		expect(order).toEqual([0]);
		await locks[0]?.unlock();
		await acquired[1];
		expect(order).toEqual([0, 1]);
		await locks[1]?.unlock();
		await acquired[2];
		expect(order).toEqual([0, 1, 2]);
	});

	it("asks the holder at once to let go, and one that is granted while others wait too", async () => {
		const locker = createLocker(alone);
		const asked: string[] = [];
		const [first, second, third] = [locker.newLock("a"), locker.newLock("a"), locker.newLock("a")];
		await first.lock(never, () => void asked.push("first"));
		const secondHolds = second.lock(never, () => void asked.push("second"));
		expect(asked).toEqual(["first"]);
		const thirdHolds = third.lock(never, noRequest);
		await first.unlock();
		await secondHolds;
		expect(asked).toEqual(["first", "first", "second"]);
		await second.unlock();
		await thirdHolds;
	});

	it("forgets a waiter that gives up", async () => {
		const locker = createLocker(alone);
		const [first, second, third] = [locker.newLock("a"), locker.newLock("a"), locker.newLock("a")];
		await first.lock(never, noRequest);
		const impatient = new AbortController();
		const refused = expect(second.lock(impatient.signal, noRequest)).rejects.toThrow("gone");
		const thirdHolds = third.lock(never, noRequest);
		impatient.abort(new Error("gone"));
		await refused;
		await first.unlock();
		await thirdHolds;
		await expect(second.lock(impatient.signal, noRequest)).rejects.toThrow("gone");
	});

	it("tells a request that waited in vain whether the one before it had the upload, or was waiting itself", async () => {
		const [granted, silent] = [createLocker(alone), createLocker(() => new Promise<never>(() => undefined))];
		await granted.newLock("a").lock(never, noRequest);
		void silent.newLock("a").lock(never, noRequest);
		const behind = [granted, silent].map((locker) => locker.newLock("a").lock(never, noRequest));
		await Promise.all([
			expect(behind[0]).rejects.toMatchObject({ code: "storage_unavailable" }),
			expect(behind[1]).rejects.toMatchObject({ code: "internal_error", status: 503 }),
		]);
	});
});
