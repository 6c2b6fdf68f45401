import { openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { chunks, random, sha256 } from "../support/bytes.ts";
import { patience } from "../support/patience.ts";
import { openRecordingProxy } from "../support/recording-proxy.ts";

const MiB = 1024 * 1024;
let test: TestBucket;
let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
let bucket: ReturnType<ReturnType<typeof createBucketOpener>["open"]>;

beforeEach(async () => {
	test = await createTestBucket(inject("s3"));
	proxy = await openRecordingProxy(test.bucket.endpoint ?? "");
	bucket = createBucketOpener({ allow: [], ...patience }).open({ ...test.bucket, endpoint: proxy.url });
});
afterEach(async () => {
	await bucket.close();
	await proxy.close();
	await test.remove();
});

it("sends no checksum of the SDK's own, no trailer and no Expect, which servers of the protocol refuse", async () => {
	await bucket.outputs.put("v/small", chunks(random(1000)));
	await bucket.outputs.put("v/large", chunks(random(20 * MiB)));
	for await (const chunk of (await bucket.outputs.get("v/large"))?.bytes ?? []) void chunk;
	await bucket.outputs.deletePrefix("v/");
	expect(proxy.requests.map(({ method }) => method)).toEqual(expect.arrayContaining(["PUT", "POST", "GET", "DELETE"]));
	for (const { method, url, headers } of proxy.requests) {
		const unwanted = Object.keys(headers).filter((name) =>
			/checksum|trailer|^expect$|transfer-encoding|decoded-content-length/.test(name),
		);
		expect({ method, url, unwanted }).toEqual({ method, url, unwanted: [] });
		expect(headers["content-encoding"] ?? "").not.toContain("aws-chunked");
		expect(url).not.toMatch(/checksum|\?delete/i);
	}
});

it("binds the bytes of every request to its signature", async () => {
	const bytes = random(1000);
	await bucket.outputs.put("a", chunks(bytes));
	expect(proxy.requests.at(-1)?.headers["x-amz-content-sha256"]).toBe(sha256(bytes));
});

it("sends parts of equal size, as R2 wants them, and the rest as the last", async () => {
	await bucket.outputs.put("a", chunks(random(20 * MiB), 100_003));
	const parts = proxy.requests.filter(({ url }) => url.includes("partNumber="));
	expect(parts.map(({ headers }) => Number(headers["content-length"])).sort((one, other) => other - one)).toEqual([
		8 * MiB,
		8 * MiB,
		4 * MiB,
	]);
});

it("sends what fits into a part by one request, even when it fills it", async () => {
	await bucket.outputs.put("a", chunks(random(8 * MiB)));
	await bucket.outputs.put("b", chunks(random(8 * MiB + 1)));
	const sent = proxy.requests.map(
		({ method, url }) => `${method} ${new URL(url, proxy.url).searchParams.get("partNumber") ?? ""}`,
	);
	expect([sent[0], sent.slice(1).sort()]).toEqual(["PUT ", ["HEAD ", "POST ", "POST ", "PUT 1", "PUT 2"]]);
});

it("stores the type that a player expects with each object, for a CDN before the bucket", async () => {
	const types = {
		"hls/master.m3u8": "application/vnd.apple.mpegurl",
		"web.mp4": "video/mp4",
		"og.jpg": "image/jpeg",
		other: "application/octet-stream",
	};
	for (const [key, type] of Object.entries(types)) {
		await bucket.outputs.put(key, chunks(random(10)));
		const answer = await fetch(await bucket.outputs.presign(key, { method: "GET", seconds: 60 }));
		expect(answer.headers.get("content-type")).toBe(type);
		await answer.body?.cancel();
	}
});

it("takes at most three parts of the source while the server takes none, and leaves none when aborted", async () => {
	const faulty = await openFaultProxy({ target: test.bucket.endpoint ?? "" });
	const parts = faulty.use({ when: { method: "PUT", query: { partNumber: true } }, fault: { kind: "silence" } });
	const slow = createBucketOpener({ allow: [], ...patience }).open({ ...test.bucket, endpoint: faulty.url });
	let taken = 0;
	async function* endless() {
		for (;;) {
			taken += MiB;
			yield random(MiB);
		}
	}
	const abort = new AbortController();
	const rejected = expect(slow.outputs.put("a", endless(), { signal: abort.signal })).rejects.toThrow("enough");
	await parts.hit(2);
	for (let time = 0; time < 20; time++) await slow.outputs.head("b");
	expect(taken).toBeLessThanOrEqual(24 * MiB);
	abort.abort(new Error("enough"));
	await rejected;
	expect(await test.unfinished()).toEqual([]);
	await slow.close();
	await faulty.close();
});

it("rejects a put, and keeps the old object, if the server loses the parts before the completion", async () => {
	const old = random(1000);
	await bucket.outputs.put("a", chunks(old));
	const faulty = await openFaultProxy({ target: test.bucket.endpoint ?? "" });
	const through = createBucketOpener({ allow: [], ...patience }).open({ ...test.bucket, endpoint: faulty.url });
	const lost = faulty
		.use({ when: { method: "PUT", query: { partNumber: "2" } }, fault: { kind: "pass" } })
		.hit()
		.then(test.abortUnfinished);
	faulty.use({ when: { method: "POST", query: { uploadId: true } }, until: lost, fault: { kind: "pass" } });
	await expect(through.outputs.put("a", chunks(random(10 * MiB)))).rejects.toMatchObject({
		name: "StorageError",
		fault: "failed",
	});
	expect(await bucket.outputs.head("a")).toEqual({ key: "a", size: old.length });
	await through.close();
	await faulty.close();
});
