import { conforms, rateLimiterCases } from "@reelmill/conformance";
import { createMemoryRateLimiter } from "@reelmill/engine";
import { createFakeClock } from "@reelmill/engine/testing";
import { describe, expect, it } from "vitest";

async function open() {
	const clock = createFakeClock();
	const limiter = createMemoryRateLimiter({ clock });
	return { subject: { limiter, elsewhere: limiter, clock }, close: async () => {} };
}

conforms("rate limiter in memory", rateLimiterCases, open, { describe, it });

describe("a rate limiter in memory", () => {
	it("forgets the key that was asked for longest ago when it holds as many as it may", async () => {
		const limiter = createMemoryRateLimiter({ clock: createFakeClock(), maxKeys: 2 });
		for (const key of ["a", "b", "a", "c"]) await limiter.take(key, 1, 60);
		const allowed = async (key: string) => (await limiter.take(key, 1, 60)).allowed;
		expect([await allowed("a"), await allowed("c"), await allowed("b")]).toEqual([false, false, true]);
	});

	it.each([
		[3, 3_600_000],
		[3, -3_600_000],
		[200, 3_600_000],
		[200, -3_600_000],
	])(
		"counts a limit of %i on where the clock is set by %i ms, and names the moment by the new time",
		async (limit, step) => {
			const clock = createFakeClock();
			const limiter = createMemoryRateLimiter({ clock });
			for (let take = 0; take < limit; take++) expect((await limiter.take("a", limit, 60)).allowed).toBe(true);
			clock.step(step);
			await clock.advance(59_000);
			expect(await limiter.take("a", limit, 60)).toEqual({ allowed: false, retryAt: new Date(clock.now() + 1000) });
			await clock.advance(1000);
			expect((await limiter.take("a", limit, 60)).allowed).toBe(true);
		},
	);
});
