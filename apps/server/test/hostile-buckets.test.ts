import { expect, it } from "vitest";
import { asked, besideHostileBuckets, expectInRounds, makeHostile } from "./support/hostile-buckets.ts";

besideHostileBuckets();

it("goes on as usual beside twelve hostile buckets at once, and passes on only what was stored", async () => {
	expect(Object.keys(asked)).toHaveLength(12);
	await makeHostile(false);
	await expectInRounds(
		() => ["verify", "frame", "transcript", "video"],
		() => "200 undefined",
	);
	await makeHostile(true);
	const { p99 } = await expectInRounds(
		(bucket) => [asked[bucket]?.path ?? ""],
		(bucket) => `${asked[bucket]?.status} ${asked[bucket]?.code}`,
	);
	// Of the processor, not of the clock: what a bucket makes the server compute would hold up every other tenant.
	expect(p99).toBeLessThan(1000);
});
