import { randomBytes, randomUUID } from "node:crypto";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { cheaperSum, type SumName, sumOf } from "../../src/client/body-sum.ts";
import { createBucketClient } from "../../src/client/bucket-client.ts";
import { createS3UploadStore } from "../../src/uploads/upload-store.ts";
import { patience } from "../support/patience.ts";
import { openRecordingProxy } from "../support/recording-proxy.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const part = 5 * 1024 * 1024;
let test: TestBucket;
let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
let client: ReturnType<typeof createBucketClient>;
beforeEach(async () => {
	test = await createTestBucket(inject("s3"));
	proxy = await openRecordingProxy(test.bucket.endpoint ?? "");
	client = createBucketClient({ ...test.bucket, endpoint: proxy.url }, { rules: { allows: () => true }, ...patience });
});
afterEach(async () => {
	client.close();
	await proxy.close();
	await test.remove();
});

/** Returns the checksum that a request names for its body, and that the server is to check. */
const named: Record<SumName, (headers: Record<string, unknown>) => unknown> = {
	sha256: (headers) => headers["x-amz-content-sha256"],
	md5: (headers) => headers["content-md5"],
};
const written: Record<SumName, BufferEncoding> = { sha256: "hex", md5: "base64" };

it.each(["sha256", "md5"] as const)(
	"sends each part with the %s sum of its bytes, among what is signed",
	async (by) => {
		const id = randomUUID();
		const file = randomBytes(2 * part + 1234);
		const uploads = createS3UploadStore(client, { by });
		await uploads.create(id);
		await uploads.append(id, 0, chunks(file), { limit: file.length });
		const parts = proxy.requests.filter(({ url }) => url.includes("partNumber="));
		expect(parts.length).toBe(3);
		for (const { url, headers } of parts) {
			const start = (Number(new URL(url, proxy.url).searchParams.get("partNumber")) - 1) * part;
			expect(named[by](headers)).toBe(sumOf(file.subarray(start, start + part), by).toString(written[by]));
			expect(headers["authorization"]).toContain(by === "md5" ? "content-md5;" : "x-amz-content-sha256;");
		}
	},
);

it("goes on with an upload whose tail another machine has summed otherwise", async () => {
	const id = randomUUID();
	const file = randomBytes(part + 2000);
	const [md5, sha] = (["md5", "sha256"] as const).map((by) => createS3UploadStore(client, { by }));
	await md5?.create(id);
	await md5?.append(id, 0, chunks(file.subarray(0, 500)), { limit: file.length });
	await sha?.append(id, 500, chunks(file.subarray(500, part + 1000)), { limit: file.length });
	await md5?.append(id, part + 1000, chunks(file.subarray(part + 1000)), { limit: file.length });
	const found = await sha?.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
});

it("takes the sum that costs less here, whichever that is", () => {
	expect(cheaperSum((by) => (by === "sha256" ? 1 : 2))).toBe("sha256");
	expect(cheaperSum((by) => (by === "sha256" ? 2 : 1))).toBe("md5");
	expect(["sha256", "md5"]).toContain(cheaperSum());
});
