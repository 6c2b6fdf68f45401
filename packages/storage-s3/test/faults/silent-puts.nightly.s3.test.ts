import { randomBytes } from "node:crypto";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const prefix = "v/1/";
const key = `${prefix}web.mp4`;
const small = randomBytes(100_000);
const large = randomBytes(20_000_000);

let faulty: Faulty;
const open = async (progressMilliseconds: number) => {
	// Only the wait for progress ends a silence here.
	const times = { idleMilliseconds: 120_000, answerMilliseconds: 5500, progressMilliseconds };
	faulty = await openFaulty(inject("s3"), { keyPrefix: "tenant", ...times });
};
afterEach(() => faulty.close());

const put = (bytes: Uint8Array) => faulty.through.outputs.put(key, chunks(bytes));
async function expectStored(bytes: Uint8Array): Promise<void> {
	const found = await faulty.direct.outputs.get(key);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(bytes));
}

const whole: RequestMatch = { method: "PUT", query: { partNumber: false } };
const part: RequestMatch = { method: "PUT", query: { partNumber: true } };
const completion: RequestMatch = { method: "POST", query: { uploadId: true } };
const silence: Fault = { kind: "silence" };
const unanswered: Fault = { kind: "hold", direction: "answer", afterBytes: 0 };

describe("a put whose bucket falls silent ends as unreachable, long before the connection does", () => {
	beforeEach(() => open(2000));

	test.each<[string, Uint8Array, RequestMatch, Fault]>([
		["what fits into one request is not read", small, whole, silence],
		["parts are not read", large, part, silence],
		["parts stop in the middle", large, part, { kind: "hold", direction: "request", afterBytes: 1_000_000 }],
		["nobody hears the completion", large, completion, silence],
	])("when %s, and leaves nothing where the bucket hears that", async (_, bytes, when, fault) => {
		faulty.proxy.use({ when, fault });
		const started = performance.now();
		expect((await storageFailure(put(bytes))).fault).toBe("unreachable");
		expect(performance.now() - started).toBeLessThan(60_000);
		expect([await faulty.bucket.keys(), await faulty.bucket.unfinished()]).toEqual([[], []]);
	});

	test("when it hears nothing from a part on, and the parts that are left go with their prefix", async () => {
		const rule = faulty.proxy.use({ when: part, nth: 2, fault: silence });
		const putting = storageFailure(put(large));
		await rule.hit();
		faulty.proxy.use({ fault: silence });
		const started = performance.now();
		expect((await putting).fault).toBe("unreachable");
		expect(performance.now() - started).toBeLessThan(60_000);
		expect(await faulty.bucket.unfinished()).toEqual([`tenant/${key}`]);
		faulty.proxy.clear();
		await faulty.through.outputs.deletePrefix(prefix);
		expect(await faulty.bucket.unfinished()).toEqual([]);
	});
});

test("a completion that was done, and whose answer doesn't come, is found by a look at the object", async () => {
	await open(4000);
	faulty.proxy.use({ when: completion, fault: unanswered });
	expect(await put(large)).toEqual({ key, size: large.length });
	await expectStored(large);
});

// The system takes some megabytes at once, whose progress is seen when they are answered: they must pass within the
// time of a silence.
test("a put whose bytes pass slowly takes its time, longer than a silence may", async () => {
	await open(6000);
	const bytes = randomBytes(32_000_000); // four parts, two at once, each of which passes in 3.4 s
	faulty.proxy.use({ when: part, fault: { kind: "slow", direction: "request", bytesPerSecond: 2_500_000 } });
	const started = performance.now();
	expect(await put(bytes)).toEqual({ key, size: bytes.length });
	expect(performance.now() - started).toBeGreaterThan(6000);
	await expectStored(bytes);
});
