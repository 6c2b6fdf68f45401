import { createTestBucket, startTestGateway } from "@reelmill/storage-s3/testing";
import { expect, inject, it } from "vitest";

it("gives each test a bucket of its own, empty, and takes it away with all in it", async () => {
	const one = await createTestBucket(inject("s3"));
	const other = await createTestBucket(inject("s3"));
	expect(one.bucket.bucket).not.toBe(other.bucket.bucket);
	expect(await one.keys()).toEqual([]);
	await one.remove();
	await expect(one.keys()).rejects.toThrow();
	expect(await other.unfinished()).toEqual([]);
	await other.remove();
});

it("keeps what was stored when the gateway is killed and started again at the same address", async () => {
	const gateway = await startTestGateway();
	try {
		const bucket = await createTestBucket(gateway.server);
		await gateway.kill();
		await expect(fetch(gateway.server.endpoint)).rejects.toThrow();
		await gateway.restart();
		expect(await bucket.keys()).toEqual([]);
		await bucket.remove();
	} finally {
		await gateway.close();
		await gateway.close();
	}
});
