import { randomBytes, randomUUID } from "node:crypto";
import type { StorageFault } from "@reelmill/engine/ports";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { chunks, sendUpload, sha256, sha256Of } from "../support/send-upload.ts";

const partBytes = 5 * 1024 * 1024;
const file = randomBytes(3 * partBytes + 1_000_000);

let faulty: Faulty;
let id: string;
const open = async (options?: Parameters<typeof openFaulty>[1]) => {
	faulty = await openFaulty(inject("s3"), options);
	id = randomUUID();
	await faulty.direct.uploads.create(id);
};
const openAgain = async (options: Parameters<typeof openFaulty>[1]) => {
	await faulty.close();
	await open(options);
};
/** Notices a request that hangs, soon enough for a test. */
const impatient = { idleMilliseconds: 3000, attempts: 2 };
beforeEach(() => open());
afterEach(() => faulty.close());

/** Expects exactly one object, of the file's bytes. Nothing else is left once it is discarded. */
async function expectWhole(): Promise<void> {
	const found = await faulty.direct.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
	expect(await faulty.direct.uploads.size(id)).toBe(file.length);
	await faulty.direct.uploads.discard(id);
	expect(await faulty.bucket.keys()).toEqual([]);
	expect(await faulty.bucket.unfinished()).toEqual([]);
}

const append = (from = 0) =>
	faulty.through.uploads.append(id, from, chunks(file.subarray(from)), { limit: file.length });

const creation: RequestMatch = { method: "POST", query: { uploads: true } };
const part = (number: number): RequestMatch => ({ method: "PUT", query: { partNumber: String(number) } });
const tail: RequestMatch = { method: "PUT", path: /\.part$/ };
const completion: RequestMatch = { method: "POST", query: { uploadId: true } };

const refuse: Fault = { kind: "refuse", status: 500 };
const slowDown: Fault = { kind: "refuse", status: 503 };
const refuseAfter: Fault = { kind: "refuse-after", status: 500 };
const loseAnswer: Fault = { kind: "lose-answer" };
const silence: Fault = { kind: "silence" };
const cutAnswer: Fault = { kind: "cut", direction: "answer", afterBytes: 30 };
const cutBody: Fault = { kind: "cut", direction: "request", afterBytes: 1_000_000 };

describe("what goes wrong once is done again, and the upload goes through in one append", () => {
	test.each<[string, RequestMatch, Fault]>([
		["the start is refused", creation, refuse],
		["the start's answer is lost", creation, loseAnswer],
		["the start's answer breaks off", creation, cutAnswer],
		["a part is refused", part(2), refuse],
		["a part has to slow down", part(2), slowDown],
		["a part is stored and answered 500", part(2), refuseAfter],
		["a part's answer is lost", part(2), loseAnswer],
		["a part's connection is cut within it", part(2), cutBody],
		["a part meets silence", part(2), silence],
		["the tail is refused", tail, refuse],
		["the tail's answer is lost", tail, loseAnswer],
		["the completion is refused", completion, refuse],
		["the completion is done and answered 500", completion, refuseAfter],
		["the completion's answer is lost", completion, loseAnswer],
		["the completion's answer breaks off", completion, cutAnswer],
	])("%s", async (_, when, fault) => {
		if (fault === silence) await openAgain({ idleMilliseconds: 3000 });
		const rule = faulty.proxy.use({ when, times: 1, fault });
		expect(await append()).toBe(file.length);
		expect(rule.hits).toBe(1);
		await expectWhole();
	});

	test("a part comes slowly, at 4 MB/s, but comes", async () => {
		await openAgain({ idleMilliseconds: 5000 });
		faulty.proxy.use({ when: part(2), fault: { kind: "slow", direction: "request", bytesPerSecond: 4_000_000 } });
		expect(await append()).toBe(file.length);
		await expectWhole();
	});
});

describe("a lasting failure is told with its reason, and the upload goes on once it is over", () => {
	test.each<[string, RequestMatch, Fault, StorageFault]>([
		["the start is refused", creation, refuse, "failed"],
		["a part is refused", part(2), refuse, "failed"],
		["a part is stored and answered 500", part(2), refuseAfter, "failed"],
		["a part's answer is lost", part(2), loseAnswer, "unreachable"],
		["a part's connection is cut within it", part(2), cutBody, "unreachable"],
		["a part meets silence", part(2), silence, "unreachable"],
		["every request meets a reset connection", {}, { kind: "cut", direction: "request", afterBytes: 0 }, "unreachable"],
		["every request is refused by a 403", {}, { kind: "refuse", status: 403 }, "credentials"],
		["the completion is refused", completion, refuse, "failed"],
	])("%s", async (_, when, fault, reason) => {
		if (fault === silence) await openAgain(impatient);
		faulty.proxy.use({ when, fault });
		const error = await storageFailure(append());
		expect(error.fault).toBe(reason);
		expect(error.message).not.toContain(faulty.bucket.bucket.credentials?.secret);
		expect(await faulty.direct.uploads.read(id)).toBeNull();
		faulty.proxy.clear();
		// Who is soon tired of silence may fail again on a busy machine.
		const { uploads } = fault === silence ? faulty.direct : faulty.through;
		expect(await sendUpload(uploads, id, file)).toEqual([]);
		await expectWhole();
	});

	test("the completion is done, and every answer to it is lost: the object that is there counts", async () => {
		faulty.proxy.use({ when: completion, fault: loseAnswer });
		expect(await append()).toBe(file.length);
		await expectWhole();
	});

	test("the completion is done, and nothing is heard of it: the next caller finds the upload whole", async () => {
		const completed = faulty.proxy.use({ when: completion, fault: loseAnswer });
		const failed = storageFailure(append());
		await completed.hit();
		faulty.proxy.use({ fault: { kind: "cut", direction: "request", afterBytes: 0 } });
		expect((await failed).fault).toBe("unreachable");
		faulty.proxy.clear();
		expect(await sendUpload(faulty.through.uploads, id, file)).toEqual([]);
		await expectWhole();
	});
});

describe("an offset never passes a gap", () => {
	test("while a part fails late, after others behind it have gone through", async () => {
		const third = faulty.proxy.use({ when: part(3), fault: { kind: "pass" } });
		faulty.proxy.use({ when: part(2), until: third.hit(), fault: refuse });
		await storageFailure(append());
		expect(third.hits).toBe(1);
		expect(await faulty.direct.uploads.size(id)).toBe(partBytes);
		faulty.proxy.clear();
		expect(await append(partBytes)).toBe(file.length);
		await expectWhole();
	});

	test("while the gap is filled with other bytes than before, and the parts behind it are still there", async () => {
		const third = faulty.proxy.use({ when: part(3), fault: { kind: "pass" } });
		faulty.proxy.use({ when: part(2), until: third.hit(), fault: refuse });
		const other = Buffer.concat([file.subarray(0, partBytes), randomBytes(file.length - partBytes)]);
		await storageFailure(faulty.through.uploads.append(id, 0, chunks(other), { limit: file.length }));
		faulty.proxy.clear();
		const second = file.subarray(partBytes, 2 * partBytes + 10);
		expect(await faulty.through.uploads.append(id, partBytes, chunks(second), { limit: file.length })).toBe(
			2 * partBytes + 10,
		);
		expect(await append(2 * partBytes + 10)).toBe(file.length);
		await expectWhole();
	});
});

test("keeps acknowledged bytes of a tail when the next append can't store its own", async () => {
	expect(await faulty.through.uploads.append(id, 0, chunks(file.subarray(0, 1000)), { limit: file.length })).toBe(1000);
	faulty.proxy.use({ when: tail, fault: refuse });
	const rest = (to: number) =>
		faulty.through.uploads.append(id, 1000, chunks(file.subarray(1000, to)), { limit: file.length });
	expect((await storageFailure(rest(2000))).fault).toBe("failed");
	expect(await faulty.direct.uploads.size(id)).toBeGreaterThanOrEqual(1000);
	expect((await storageFailure(rest(2 * partBytes))).fault).toBe("failed");
	expect(await faulty.direct.uploads.size(id)).toBeGreaterThanOrEqual(1000);
	faulty.proxy.clear();
	expect(await sendUpload(faulty.through.uploads, id, file)).toEqual([]);
	await expectWhole();
});

test("resolves with what is durable when it is aborted while parts hang", async () => {
	await openAgain(impatient);
	const held = faulty.proxy.use({
		when: part(2),
		fault: { kind: "hold", direction: "request", afterBytes: 1_000_000 },
	});
	const abort = new AbortController();
	const appending = faulty.through.uploads.append(id, 0, chunks(file), { limit: file.length, signal: abort.signal });
	const settled = appending.then(
		(offset) => offset,
		() => null,
	);
	await held.hit();
	abort.abort();
	const offset = await settled;
	expect(await faulty.direct.uploads.size(id)).toBeGreaterThanOrEqual(offset ?? 0);
	faulty.proxy.clear();
	await sendUpload(faulty.through.uploads, id, file);
	await expectWhole();
});

test("leaves nothing of an upload that is discarded while its parts hang", async () => {
	const held = faulty.proxy.use({
		when: part(2),
		fault: { kind: "hold", direction: "request", afterBytes: 1_000_000 },
	});
	const appending = append().catch(() => "rejected");
	await held.hit();
	await faulty.direct.uploads.discard(id);
	held.release();
	expect(await appending).toBe("rejected");
	expect(await faulty.bucket.keys()).toEqual([]);
	expect(await faulty.bucket.unfinished()).toEqual([]);
});
