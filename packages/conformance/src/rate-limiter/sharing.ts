import assert from "node:assert/strict";
import { within } from "../bytes.ts";
import type { Case } from "../case.ts";
import { takes } from "./counting.ts";
import type { RateLimiterSubject } from "./subject.ts";

export const sharingCases: readonly Case<RateLimiterSubject>[] = [
	...[1, 10, 200, 2000].map(
		(limit): Case<RateLimiterSubject> => ({
			name: `never passes a limit of ${limit} when two processes take at once`,
			async run({ limiter, elsewhere }) {
				const results = await Promise.all(
					Array.from({ length: limit + 50 }, (_, index) => (index % 2 ? limiter : elsewhere).take("a", limit, 600)),
				);
				const allowed = results.filter((result) => result.allowed).length;
				assert.ok(allowed <= limit, `${allowed} of ${limit} were allowed`);
				assert.ok(allowed >= (limit * 2) / 3, `only ${allowed} of ${limit} were allowed`);
				assert.equal(
					(await takes(limiter, limit, "a", limit, 600)) + (await takes(elsewhere, limit, "a", limit, 600)) + allowed,
					limit,
				);
			},
		}),
	),
	{
		name: "refuses in one process what another has used up",
		async run({ limiter, elsewhere, clock }) {
			for (const limit of [5, 200]) {
				const key = `of ${limit}`;
				assert.equal(await takes(limiter, limit, key, limit, 600), limit);
				assert.equal(await takes(elsewhere, 5, key, limit, 600), 0);
				const refused = await elsewhere.take(key, limit, 600);
				assert.ok(
					!refused.allowed &&
						refused.retryAt.getTime() > clock.now() &&
						refused.retryAt.getTime() <= clock.now() + 600_000,
				);
			}
		},
	},
	{
		name: "gives every take one answer when a hundred for one key come at once",
		async run({ limiter }) {
			const results = await Promise.all(Array.from({ length: 100 }, () => limiter.take("a", 40, 600)));
			assert.equal(results.filter((result) => result.allowed).length, 40);
		},
	},
	{
		name: "rejects while its store is lost, quickly, and counts on when it is back",
		needs: "store",
		async run({ limiter, elsewhere, clock, store }) {
			assert.ok(store);
			assert.equal(await takes(limiter, 10, "a", 10, 600), 10);
			await store.lose();
			await assert.rejects(within(30_000, Promise.resolve(limiter.take("b", 10, 600))));
			await assert.rejects(within(2000, Promise.resolve(limiter.take("c", 10, 600))));
			await store.bringBack();
			await clock.advance(5000);
			assert.equal(await takes(limiter, 12, "b", 10, 600), 10);
			assert.equal(await takes(elsewhere, 1, "b", 10, 600), 0);
		},
	},
];
