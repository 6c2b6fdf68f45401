import type { Bucket, BucketCredentials, ObjectStorage } from "@reelmill/engine/ports";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { chunks, random } from "../support/bytes.ts";
import { patience } from "../support/patience.ts";

let test: TestBucket;
beforeAll(async () => {
	test = await createTestBucket(inject("s3"));
});
afterAll(() => test.remove());

/** Every request that a storage makes to its server. */
const calls: readonly { readonly name: string; call(storage: ObjectStorage): Promise<unknown> }[] = [
	{ name: "put of a small object", call: (storage) => storage.put("a", chunks(random(1000))) },
	{ name: "put of one part", call: (storage) => storage.put("a", chunks(random(7_000_000))) },
	{ name: "put of many parts", call: (storage) => storage.put("a", chunks(random(20_000_000))) },
	{ name: "get", call: (storage) => storage.get("a") },
	{ name: "get of a range", call: (storage) => storage.get("a", { start: 1, end: 2 }) },
	{ name: "head", call: (storage) => storage.head("a") },
	{ name: "delete", call: (storage) => storage.delete("a") },
	{ name: "list", call: (storage) => Array.fromAsync(storage.list("a/")) },
	{ name: "deletePrefix", call: (storage) => storage.deletePrefix("a/") },
];

const withKey =
	(change: Partial<BucketCredentials>) =>
	({ credentials }: Bucket): Partial<Bucket> => ({ credentials: { id: "", secret: "", ...credentials, ...change } });

const wrongs: readonly { readonly what: string; readonly fault: string; change(bucket: Bucket): Partial<Bucket> }[] = [
	{ what: "an unknown access key", fault: "credentials", change: withKey({ id: "nobody" }) },
	{ what: "a wrong secret", fault: "credentials", change: withKey({ secret: "not the secret of this key" }) },
	{ what: "a bucket that isn't there", fault: "bucket", change: ({ bucket }) => ({ bucket: `${bucket}-gone` }) },
	{ what: "a server that isn't there", fault: "unreachable", change: () => ({ endpoint: "http://127.0.0.1:9" }) },
	{ what: "a name without an address", fault: "unreachable", change: () => ({ endpoint: "http://nothing.invalid" }) },
	{
		what: "TLS where none is spoken",
		fault: "unreachable",
		change: ({ endpoint }) => ({ endpoint: endpoint?.replace("http:", "https:") ?? null }),
	},
	{ what: "an endpoint that is no URL", fault: "unreachable", change: () => ({ endpoint: "ftp://storage" }) },
	{ what: "a bucket's name that would be a path", fault: "bucket", change: () => ({ bucket: "../other" }) },
	{
		what: "a region that would be another host",
		fault: "bucket",
		change: () => ({ endpoint: null, options: { region: "example.com/" } }),
	},
];

describe.each(wrongs)("with $what", ({ fault, change }) => {
	it.each(calls)(`rejects a $name with a StorageError of "${fault}" that holds no secret`, async ({ call }) => {
		const wrong = { ...test.bucket, ...change(test.bucket) };
		const bucket = createBucketOpener({ allow: [], attempts: 2, ...patience }).open(wrong);
		const error = await call(bucket.outputs).then(
			() => null,
			(thrown: unknown) => thrown,
		);
		expect(error).toMatchObject({ name: "StorageError", fault });
		const told = `${(error as Error).message} ${(error as Error).stack} ${JSON.stringify(error)}`;
		for (const secret of [wrong.credentials?.secret, test.bucket.credentials?.secret, "Signature="])
			expect(told).not.toContain(secret);
		expect((error as Error).cause).toBeUndefined();
		await bucket.close();
	});
});

it("tells a missing key from a missing bucket by null", async () => {
	const bucket = createBucketOpener({ allow: [], ...patience }).open(test.bucket);
	expect([await bucket.outputs.head("none"), await bucket.outputs.get("none")]).toEqual([null, null]);
	await bucket.close();
});
