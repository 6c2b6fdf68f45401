import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "@reelmill/engine/testing";
import { describe, expect, it, vi } from "vitest";
import { race, within } from "../../src/system/index.ts";

const late = (): never => {
	throw new RangeError("late");
};

describe("within", () => {
	it("answers what the work comes to, and leaves no timer", async () => {
		const clock = createFakeClock();
		const onLate = vi.fn();
		await expect(within(clock, 1000, Promise.resolve("done"), onLate)).resolves.toBe("done");
		await expect(within(clock, 1000, Promise.reject(new TypeError("failed")), onLate)).rejects.toThrow("failed");
		expect(clock.sleepers()).toBe(0);
		await clock.advance(2000);
		expect(onLate).not.toHaveBeenCalled();
	});

	it("answers what onLate comes to once the time is over, and not before", async () => {
		const clock = createFakeClock();
		const { promise, resolve } = Promise.withResolvers<string>();
		const onLate = vi.fn(() => "late");
		const answer = within(clock, 1000, promise, onLate);
		await clock.advance(999);
		expect(onLate).not.toHaveBeenCalled();
		await clock.advance(1);
		await expect(answer).resolves.toBe("late");
		resolve("too late");
		await setImmediate();
		expect(onLate).toHaveBeenCalledTimes(1);
	});

	it("rejects with what onLate throws, and ignores late work that fails", async () => {
		const clock = createFakeClock();
		const { promise, reject } = Promise.withResolvers<never>();
		const answer = expect(within(clock, 1000, promise, late)).rejects.toThrow("late");
		await clock.advance(1000);
		await answer;
		reject(new Error("nobody waits any more"));
		await setImmediate();
	});
});

describe("race", () => {
	it("tells the rival that it is over, whichever wins", async () => {
		const signals: AbortSignal[] = [];
		const rival = (settle: Promise<unknown>) => (signal: AbortSignal) => {
			signals.push(signal);
			return settle;
		};
		const never = new Promise<never>(() => undefined);
		await race(Promise.resolve(), rival(never));
		await race(never, rival(Promise.resolve()));
		await race(never, rival(Promise.reject(new Error("silent")))).catch(() => undefined);
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
	});
});
