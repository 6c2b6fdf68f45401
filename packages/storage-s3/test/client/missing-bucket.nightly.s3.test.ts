import { randomBytes, randomUUID } from "node:crypto";
import type { StorageError } from "@reelmill/engine/ports";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { chunks } from "../support/send-upload.ts";

const file = randomBytes(17_000_000);
const refuse = (status: number, code?: string): Fault => ({ kind: "refuse", status, ...(code && { code }) });
const pass: Fault = { kind: "pass" };
const part = { method: "PUT", query: { partNumber: "2" } };
const completion = { method: "POST", query: { uploadId: true } };

let faulty: Faulty;
let id: string;
beforeEach(async () => {
	faulty = await openFaulty(inject("s3"), { remove: false });
	id = randomUUID();
	await faulty.through.uploads.create(id);
});
afterEach(() => faulty.close());

const upload = () => faulty.through.uploads.append(id, 0, chunks(file), { limit: file.length });
const put = () => faulty.through.outputs.put("v/1/a.mp4", chunks(file));

/**
 * Runs `request` until one of its calls fits `when` and waits at the proxy, and all its other calls have been answered.
 * Removes the bucket then, and lets `fault` strike the call that waits.
 */
async function whileBucketIsRemoved(
	request: () => Promise<unknown>,
	{ when, parts, fault }: { readonly when: RequestMatch; readonly parts: number; readonly fault: Fault },
): Promise<StorageError> {
	const { promise: removed, resolve } = Promise.withResolvers<void>();
	faulty.proxy.use({ when, until: removed, fault });
	const failure = storageFailure(request());
	const waiting = () => {
		const answered = faulty.proxy.seen.filter(({ status }) => status !== null);
		return [
			faulty.proxy.seen.length - answered.length,
			answered.filter(({ path }) => path.includes("partNumber=")).length,
		];
	};
	await expect.poll(waiting, { interval: 5 }).toEqual([1, parts]);
	await faulty.bucket.remove();
	resolve();
	return failure;
}

describe.each([
	["an upload", upload, 4],
	["an output", put, 3],
] as const)("while %s is stored, a bucket that is removed is told as missing", (_, store, parts) => {
	const lost = [refuse(404, "NoSuchUpload"), refuse(404, "NoSuchKey")];

	test.each([...lost, pass])("if a part's answer is %j", async (fault) => {
		expect((await whileBucketIsRemoved(store, { when: part, parts: parts - 1, fault })).fault).toBe("bucket");
	});

	test.each([...lost, refuse(500), pass])("if the completion's answer is %j", async (fault) => {
		expect((await whileBucketIsRemoved(store, { when: completion, parts, fault })).fault).toBe("bucket");
	});
});

test("a bucket that is removed while an upload's size is asked for is told as missing, not as 0 bytes", async () => {
	const size = () => faulty.through.uploads.size(id);
	const failure = await whileBucketIsRemoved(size, { when: { method: "HEAD" }, parts: 0, fault: pass });
	expect(failure.fault).toBe("bucket");
});

test("a multipart upload that is lost in a bucket that is there is told as lost", async () => {
	faulty.proxy.use({ when: part, fault: refuse(404, "NoSuchUpload") });
	for (const store of [upload, put])
		expect(await storageFailure(store())).toMatchObject({ fault: "failed", message: expect.stringContaining("lost") });
	await faulty.bucket.remove();
});
