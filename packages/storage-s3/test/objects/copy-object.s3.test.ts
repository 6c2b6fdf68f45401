import { randomBytes } from "node:crypto";
import type { ObjectStorage, StorageFault } from "@reelmill/engine/ports";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const MiB = 1024 * 1024;
const sources = {
	"v/small.mp4": randomBytes(100_000),
	"v/large.mp4": Buffer.concat([randomBytes(64 * MiB), randomBytes(3)]),
};
const to = "public/v/p/web.mp4";

/** Gives up a silent server so soon that a test can wait for it. */
const impatient = createBucketOpener({ allow: [], idleTimeoutMilliseconds: 2000, progressTimeoutMilliseconds: 2000 });

let faulty: Faulty;
beforeAll(async () => {
	faulty = await openFaulty(inject("s3"), { keyPrefix: "tenant" });
	for (const [key, bytes] of Object.entries(sources)) await faulty.direct.outputs.put(key, chunks(bytes));
});
afterEach(async () => {
	faulty.proxy.clear();
	await faulty.direct.outputs.deletePrefix("public/");
});
afterAll(() => faulty.close());

const copy = async (from: string, outputs: ObjectStorage = faulty.through.outputs) => outputs.copy?.(from, to);
const requests: RequestMatch = { method: "PUT" };

describe.each(Object.entries(sources))("a copy of %s", (from, bytes) => {
	const expectWhole = async () => {
		const found = await faulty.direct.outputs.get(to);
		expect(found && (await sha256Of(found.bytes))).toBe(sha256(bytes));
		expect(await faulty.bucket.unfinished()).toEqual([]);
	};

	test("tells those who read the bucket what the delivery plane tells, and sends no byte of it", async () => {
		const before = faulty.proxy.seen.length;
		expect(await copy(from)).toEqual({ key: to, size: bytes.length });
		const answer = await fetch(await faulty.direct.outputs.presign(to, { method: "GET", seconds: 60 }));
		await answer.body?.cancel();
		expect([answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
			"video/mp4",
			"public, max-age=86400",
		]);
		expect(faulty.proxy.seen.slice(before).reduce((sum, { answerBytes }) => sum + answerBytes, 0)).toBeLessThan(10_000);
		await expectWhole();
	});

	test.each<[string, Fault]>([
		["refused", { kind: "refuse", status: 500 }],
		["done without an answer", { kind: "lose-answer" }],
	])("is whole when its first request is %s", async (_, fault) => {
		faulty.proxy.use({ when: requests, times: 1, fault });
		expect(await copy(from)).toEqual({ key: to, size: bytes.length });
		await expectWhole();
	});

	test.each<[string, Fault, StorageFault]>([
		["refused", { kind: "refuse", status: 403 }, "credentials"],
		["met with silence", { kind: "silence" }, "unreachable"],
	])("leaves nothing when its requests are %s", async (_, fault, reason) => {
		faulty.proxy.use({ when: requests, fault });
		const { outputs, close } = impatient.open({
			...faulty.bucket.bucket,
			keyPrefix: "tenant",
			endpoint: faulty.proxy.url,
		});
		const attempt = fault.kind === "silence" ? copy(from, outputs) : copy(from);
		expect((await storageFailure(attempt)).fault).toBe(reason);
		await close();
		expect([await faulty.direct.outputs.head(to), await faulty.bucket.unfinished()]).toEqual([null, []]);
	});
});
