import assert from "node:assert/strict";
import type { RateLimiter } from "@reelmill/engine/ports";
import type { Case } from "../case.ts";
import type { RateLimiterSubject } from "./subject.ts";

/** Takes `times` times, one after another, and returns how many were allowed. */
export async function takes(
	limiter: RateLimiter,
	times: number,
	key: string,
	limit: number,
	windowSeconds: number,
): Promise<number> {
	let allowed = 0;
	for (let time = 0; time < times; time++) if ((await limiter.take(key, limit, windowSeconds)).allowed) allowed++;
	return allowed;
}

async function retryAt(limiter: RateLimiter, key: string, limit: number, windowSeconds: number): Promise<number> {
	const result = await limiter.take(key, limit, windowSeconds);
	assert.ok(!result.allowed, "a take over the limit was allowed");
	return result.retryAt.getTime();
}

export const countingCases: readonly Case<RateLimiterSubject>[] = [
	...[1, 10, 200, 2000].map(
		(limit): Case<RateLimiterSubject> => ({
			name: `gives one process all of a limit of ${limit}, and no more until retryAt, then all of it again`,
			async run({ limiter, clock }) {
				for (let window = 0; window < 2; window++) {
					assert.equal(await takes(limiter, limit, "a", limit, 2), limit);
					const again = await retryAt(limiter, "a", limit, 2);
					assert.ok(again > clock.now() && again <= clock.now() + 2000, `retryAt is ${again - clock.now()} ms away`);
					assert.equal(await takes(limiter, 5, "a", limit, 2), 0);
					await clock.advance(again - clock.now());
				}
				assert.equal(await takes(limiter, 1, "a", limit, 2), 1);
			},
		}),
	),
	{
		name: "still refuses a moment before retryAt, however often it was asked meanwhile",
		async run({ limiter, clock }) {
			for (const limit of [3, 200]) {
				const key = `of ${limit}`;
				await takes(limiter, limit, key, limit, 3);
				const again = await retryAt(limiter, key, limit, 3);
				await clock.advance(again - clock.now() - 500);
				assert.equal(await takes(limiter, 3, key, limit, 3), 0);
				assert.equal(await retryAt(limiter, key, limit, 3), again);
				await clock.advance(again - clock.now());
				assert.equal(await takes(limiter, 1, key, limit, 3), 1);
			}
		},
	},
	{
		name: "counts a key's window from its first take",
		async run({ limiter, clock }) {
			await clock.advance(3000 - (clock.now() % 3000) + 2000);
			assert.equal(await takes(limiter, 150, "a", 200, 3), 150);
			const first = clock.now();
			await clock.advance(2000);
			assert.equal(await takes(limiter, 60, "a", 200, 3), 50);
			const again = await retryAt(limiter, "a", 200, 3);
			assert.ok(again > first + 2500 && again <= first + 3000, `retryAt is ${again - first} ms after the first take`);
		},
	},
	{
		name: "holds a small limit in any stretch of the window's length",
		async run({ limiter, clock }) {
			const times = [clock.now()];
			assert.equal(await takes(limiter, 1, "a", 3, 2), 1);
			await clock.advance(1600);
			for (let step = 0; step < 16; step++) {
				for (let time = 0; time < 2; time++) if ((await limiter.take("a", 3, 2)).allowed) times.push(clock.now());
				await clock.advance(400);
			}
			for (const start of times) {
				const within = times.filter((time) => time >= start && time < start + 2000 - 100);
				assert.ok(within.length <= 3, `${within.length} takes within 2 s`);
			}
			assert.ok(times.length >= 9, `${times.length} takes in 6.4 s`);
		},
	},
	{
		name: "keeps keys apart",
		async run({ limiter }) {
			assert.equal(await takes(limiter, 3, "a", 2, 5), 2);
			for (const key of ["b", "A", "a ", "a:b", "ключ", "%", "'; drop table a"])
				assert.equal(await takes(limiter, 3, key, 2, 5), 2, key);
		},
	},
];
