import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { chunks, collect, random } from "../support/bytes.ts";
import { patience } from "../support/patience.ts";
import { openRecordingProxy } from "../support/recording-proxy.ts";

type Options = Partial<Parameters<typeof createBucketOpener>[0]>;

let test: TestBucket;
let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
const opened: { close(): Promise<void> }[] = [];
const large = random(20_000_000);
const whole = random(300_000);

beforeAll(async () => {
	test = await createTestBucket(inject("s3"));
	const storage = createBucketOpener({ allow: [], ...patience }).open(test.bucket).outputs;
	await storage.put("large", chunks(large));
	await storage.put("whole", chunks(whole));
});
beforeEach(async () => {
	proxy = await openRecordingProxy(test.bucket.endpoint ?? "");
});
afterEach(async () => {
	for (const each of opened.splice(0)) await each.close();
	await proxy.close();
});
afterAll(() => test.remove());

function open(options: Options = {}) {
	const bucket = createBucketOpener({ allow: [], ...patience, ...options }).open({
		...test.bucket,
		endpoint: proxy.url,
	});
	opened.push(bucket);
	return bucket;
}

it("frees the connection of a reader who leaves early, each time", async () => {
	const { outputs } = open({ maxSockets: 4 });
	for (let time = 0; time < 100; time++) {
		const found = await outputs.get("large");
		for await (const chunk of found?.bytes ?? []) {
			expect(chunk.length).toBeGreaterThan(0);
			break;
		}
	}
	expect((await collect((await outputs.get("large"))?.bytes)).equals(large)).toBe(true);
	expect(Math.max(...proxy.requests.map(({ sockets }) => sockets))).toBeLessThanOrEqual(4);
	await expect.poll(proxy.connections).toBeLessThanOrEqual(1);
});

it("never has more connections than it may, and lets the others wait", async () => {
	const { outputs } = open({ maxSockets: 3 });
	const all = await Promise.all(Array.from({ length: 30 }, async () => collect((await outputs.get("whole"))?.bytes)));
	expect(all.every((bytes) => bytes.equals(whole))).toBe(true);
	expect(Math.max(...proxy.requests.map(({ sockets }) => sockets))).toBe(3);
});

it("gives the connection of a reader who pauses back, and goes on where he was", async () => {
	const { outputs } = open({ idleTimeoutMilliseconds: 2500 });
	const found = await outputs.get("large", { start: 1000, end: 18_000_000 });
	const parts: Uint8Array[] = [];
	for await (const part of found?.bytes ?? []) {
		parts.push(part);
		if (parts.length === 1) await expect.poll(proxy.connections).toBe(0);
	}
	expect(Buffer.concat(parts).equals(large.subarray(1000, 18_000_001))).toBe(true);
	const [first, last] = [proxy.requests[0], proxy.requests.at(-1)];
	expect(first?.headers.range).toBe("bytes=1000-18000000");
	expect(last?.headers.range).toMatch(/^bytes=\d{5,}-18000000$/);
	expect(last?.headers["if-match"]).toMatch(/^".+"$/);
});

it("gives the connection of an answer that nobody reads back", async () => {
	const { outputs } = open({ idleTimeoutMilliseconds: 2500, maxSockets: 2 });
	await Promise.all([outputs.get("large"), outputs.get("large")]);
	expect((await outputs.head("large"))?.size).toBe(large.length);
});

it("ends every connection when it is closed: what runs rejects, and so does what comes after", async () => {
	const bucket = open();
	const found = await bucket.outputs.get("large");
	const reading = found?.bytes[Symbol.asyncIterator]();
	await reading?.next();
	const hanging = bucket.outputs.put("new", {
		async *[Symbol.asyncIterator]() {
			yield random(20_000_000);
			yield random(20_000_000);
			await bucket.close();
			yield random(20_000_000);
		},
	});
	const closed = { name: "StorageError", fault: "unreachable", message: "The storage is closed" };
	await expect(hanging).rejects.toMatchObject(closed);
	const rest = async () => {
		while (!(await reading?.next())?.done);
	};
	await expect(rest()).rejects.toMatchObject({ name: "StorageError" });
	for (const call of [bucket.outputs.head("large"), bucket.outputs.get("large"), bucket.outputs.delete("large")])
		await expect(call).rejects.toMatchObject(closed);
	await bucket.close();
	await expect.poll(proxy.connections).toBe(0);
});
