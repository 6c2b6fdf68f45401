import { randomBytes, randomUUID } from "node:crypto";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { chunks, sendUpload, sha256, sha256Of } from "../support/send-upload.ts";

const partBytes = 5 * 1024 * 1024;
const progressMilliseconds = 4000;
const file = randomBytes(5 * partBytes + 1_000_000);

let faulty: Faulty;
let id: string;
beforeEach(async () => {
	// Only the wait for progress ends a silence here.
	const times = { idleMilliseconds: 120_000, answerMilliseconds: 5500, progressMilliseconds };
	faulty = await openFaulty(inject("s3"), times);
	id = randomUUID();
	await faulty.direct.uploads.create(id);
});
afterEach(() => faulty.close());

const append = () => faulty.through.uploads.append(id, 0, chunks(file), { limit: file.length });
async function expectWhole(): Promise<void> {
	const found = await faulty.direct.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
}

const part: RequestMatch = { method: "PUT", query: { partNumber: true } };
const tail: RequestMatch = { method: "PUT", path: /\.part$/ };
const completion: RequestMatch = { method: "POST", query: { uploadId: true } };

describe("an append whose bucket falls silent ends early as unreachable, and can go on afterwards", () => {
	test.each<[string, RequestMatch, Fault]>([
		["no part is read, so that no more bytes are taken from the client", part, { kind: "silence" }],
		["parts stop in the middle", part, { kind: "hold", direction: "request", afterBytes: 1_000_000 }],
		["the tail is not read", tail, { kind: "silence" }],
		["nobody hears the completion", completion, { kind: "silence" }],
	])("when %s", async (_, when, fault) => {
		faulty.proxy.use({ when, fault });
		const started = performance.now();
		expect((await storageFailure(append())).fault).toBe("unreachable");
		expect(performance.now() - started).toBeLessThan(60_000);
		faulty.proxy.clear();
		expect(await sendUpload(faulty.through.uploads, id, file)).toEqual([]);
		await expectWhole();
	});
});

// The answer to a part is only a head, of Content-Length 0. It arrives although its end is held, and its connection is
// free for another request. A request that takes it waits behind the held answer, and ends the append as unreachable
// (ten of ten runs: part 5 or 6). If no request takes it, the append is whole.
test("a part that isn't answered ends an append in time, as unreachable or as whole, and loses nothing", async () => {
	faulty.proxy.use({
		when: { ...part, query: { partNumber: "2" } },
		fault: { kind: "hold", direction: "answer", afterBytes: 0 },
	});
	const started = performance.now();
	const outcome = await append().catch((error: { fault?: string }) => error.fault);
	expect([file.length, "unreachable"]).toContain(outcome);
	expect(performance.now() - started).toBeLessThan(60_000);
	faulty.proxy.clear();
	expect(await sendUpload(faulty.through.uploads, id, file)).toEqual([]);
	await expectWhole();
});

test("a completion that was done, and whose answer doesn't come, is found by a look at the object", async () => {
	faulty.proxy.use({ when: completion, fault: { kind: "hold", direction: "answer", afterBytes: 0 } });
	expect(await append()).toBe(file.length);
	await expectWhole();
});

// The system takes a whole part at once, whose progress is seen when it is answered: a part must pass within the time
// of a silence.
test("an append whose bytes pass slowly takes its time, longer than a silence may", async () => {
	faulty.proxy.use({ when: part, fault: { kind: "slow", direction: "request", bytesPerSecond: 2_000_000 } });
	// What else runs on the machine can hold a part up for longer: one of five appends must take its time.
	const appendAnew = async () => {
		id = randomUUID();
		await faulty.direct.uploads.create(id);
		const started = performance.now();
		const outcome = await append().catch((error: { fault?: string }) => error.fault);
		return { outcome, took: performance.now() - started };
	};
	let last = await appendAnew();
	for (let time = 1; time < 5 && last.outcome === "unreachable"; time++) last = await appendAnew();
	expect(last.outcome).toBe(file.length);
	expect(last.took).toBeGreaterThan(progressMilliseconds);
	await expectWhole();
});
