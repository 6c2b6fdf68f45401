import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { chunks, random } from "../support/bytes.ts";
import { patience } from "../support/patience.ts";
import { openRecordingProxy } from "../support/recording-proxy.ts";

const opener = createBucketOpener({ allow: [], ...patience });
let test: TestBucket;
beforeEach(async () => {
	test = await createTestBucket(inject("s3"));
});
afterEach(() => test.remove());

it("signs for the public endpoint where there is one, while its own requests go to the inner one", async () => {
	const outside = await openRecordingProxy(test.bucket.endpoint ?? "");
	const bucket = opener.open({ ...test.bucket, publicEndpoint: outside.url, keyPrefix: "tenant" });
	const bytes = random(100_000);
	await bucket.outputs.put("a", chunks(bytes));
	expect(outside.requests).toEqual([]);
	const url = await bucket.outputs.presign("a", { method: "GET", seconds: 60 });
	expect(new URL(url).origin).toBe(outside.url);
	expect((await (await fetch(url)).bytes()).byteLength).toBe(bytes.length);
	const put = await bucket.outputs.presign("b", { method: "PUT", seconds: 60, size: 3 });
	expect((await fetch(put, { method: "PUT", body: "abc", headers: { "if-none-match": "*" } })).status).toBe(200);
	expect(await test.keys()).toEqual(["tenant/a", "tenant/b"]);
	await bucket.close();
	await outside.close();
});

it("signs for a time: a URL is of no use after it", async () => {
	const bucket = opener.open(test.bucket);
	await bucket.outputs.put("a", chunks(random(10)));
	const url = await bucket.outputs.presign("a", { method: "GET", seconds: 1 });
	await expect.poll(async () => (await fetch(url)).status, { interval: 200 }).toBe(403);
	for (const seconds of [0, -1, 1.5, 604_801, Number.NaN])
		await expect(bucket.outputs.presign("a", { method: "GET", seconds })).rejects.toThrow(RangeError);
	await bucket.close();
});

it("puts neither the secret nor a checksum into a URL, and the size into what is signed", async () => {
	const bucket = opener.open(test.bucket);
	const url = new URL(await bucket.outputs.presign("a", { method: "PUT", seconds: 60, size: 1234 }));
	expect(url.href).not.toContain(test.bucket.credentials?.secret);
	expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;host;if-none-match");
	expect([...url.searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
	await bucket.close();
});

it("makes URLs that replace no object, neither at once nor without their condition", async () => {
	const bucket = opener.open(test.bucket);
	const put = (headers: Record<string, string>) => async (body: string) => {
		const url = await bucket.outputs.presign("a", { method: "PUT", seconds: 60, size: 3 });
		return (await fetch(url, { method: "PUT", body, headers })).status;
	};
	const once = put({ "if-none-match": "*" });
	expect((await Promise.all(["aaa", "bbb", "ccc", "ddd"].map(once))).sort()).toEqual([200, 412, 412, 412]);
	expect([await once("eee"), await put({})("fff"), await put({ "if-none-match": '"x"' })("ggg")]).toEqual([
		412, 403, 403,
	]);
	await bucket.close();
});

it("follows its own URLs, up to 64 KiB, and says what stands in the way", async () => {
	const bucket = opener.open(test.bucket);
	const GET = { method: "GET", seconds: 60 } as const;
	const bytes = random(1000);
	await bucket.outputs.put("a", chunks(bytes));
	await bucket.outputs.put("large", chunks(random(70_000)));
	expect(Buffer.from(await bucket.fetchPresigned(await bucket.outputs.presign("a", GET))).equals(bytes)).toBe(true);
	const url = await bucket.outputs.presign("a", GET);
	await expect(
		bucket.fetchPresigned(url.replace(/X-Amz-Signature=\w{4}/, "X-Amz-Signature=0000")),
	).rejects.toMatchObject({ fault: "credentials" });
	await expect(bucket.fetchPresigned(await bucket.outputs.presign("none", GET))).rejects.toMatchObject({
		fault: "failed",
	});
	await expect(bucket.fetchPresigned(await bucket.outputs.presign("large", GET))).rejects.toMatchObject({
		fault: "failed",
	});
	await bucket.close();
	await expect(bucket.fetchPresigned(url)).rejects.toMatchObject({ fault: "unreachable" });
});

it("reaches a bucket by its name before the host's, and signs for it, where path style isn't asked for", async () => {
	const names: string[] = [];
	const port = new URL(test.bucket.endpoint ?? "").port;
	const lookup = async (name: string) => {
		names.push(name);
		return ["127.0.0.1"];
	};
	// The tests' gateway serves `<bucket>.localhost`. Another server may know buckets by another name.
	const virtual = { ...test.bucket, endpoint: `http://storage.example.localhost:${port}`, options: {} };
	const bucket = createBucketOpener({ allow: [], lookup, attempts: 1 }).open(virtual);
	await bucket.outputs.head("a").catch(() => undefined);
	expect(names).toContain(`${test.bucket.bucket}.storage.example.localhost`);
	expect(await bucket.outputs.presign("a", { method: "GET", seconds: 60 })).toContain(
		`http://${test.bucket.bucket}.storage.example.localhost:${port}/a?`,
	);
	await bucket.close();
});
