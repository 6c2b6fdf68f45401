import { expect, it } from "vitest";
import { asked, besideHostileBuckets, expectAnswers, makeHostile, round } from "./support/hostile-buckets.ts";

besideHostileBuckets();

it("goes on as usual beside twelve hostile buckets at once, and passes on only what was stored", async () => {
	expect(Object.keys(asked)).toHaveLength(12);
	await makeHostile(false);
	expectAnswers((await round(2, () => ["verify", "frame", "transcript", "video"])).found, () => "200 undefined");
	await makeHostile(true);
	const { found, p99 } = await round(3, (bucket) => [asked[bucket]?.path ?? ""]);
	expectAnswers(found, (bucket) => `${asked[bucket]?.status} ${asked[bucket]?.code}`);
	// Of the processor, not of the clock: what a bucket makes the server compute would hold up every other tenant.
	expect(p99).toBeLessThan(1000);
});
