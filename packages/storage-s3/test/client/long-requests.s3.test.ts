import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { expect, inject, it } from "vitest";
import { checked, sumOf } from "../../src/client/body-sum.ts";
import type { BucketClient } from "../../src/client/bucket-client.ts";
import { putChecked } from "../../src/client/object-requests.ts";

type HttpRequest = Parameters<NodeHttpHandler["handle"]>[0];
type HttpHandlerOptions = Parameters<NodeHttpHandler["handle"]>[1];

it("writes a body in slices, since TLS copies all that it is given, and whole again at a second attempt", async () => {
	const server = inject("s3");
	const { bucket, remove } = await createTestBucket(server);
	const handler = new NodeHttpHandler();
	const slices: number[][] = [];
	const s3 = new S3Client({
		endpoint: bucket.endpoint ?? "",
		region: server.region,
		forcePathStyle: true,
		credentials: server,
		requestChecksumCalculation: "WHEN_REQUIRED",
		requestHandler: {
			async handle(request: HttpRequest, options?: HttpHandlerOptions) {
				const { body } = request;
				if (!(body instanceof Readable)) return handler.handle(request, options);
				const taken: number[] = [];
				slices.push(taken);
				if (slices.length === 1) throw Object.assign(new Error("The connection broke"), { code: "ECONNRESET" });
				request.body = Readable.from(counted(body, taken));
				return handler.handle(request, options);
			},
		},
	});
	try {
		const client = {
			bucket,
			progressMilliseconds: 6000,
			send: (command: Parameters<typeof s3.send>[0]) => s3.send(command),
		} as unknown as BucketClient;
		const bytes = randomBytes(5 * 1024 * 1024);
		const key = randomUUID();
		await putChecked(client, key, checked(bytes, "sha256"), {});
		expect(slices.length).toBe(2);
		expect(slices[1]?.length).toBe(20);
		expect(Math.max(...slices.flat())).toBe(256 * 1024);
		const stored = await s3.send(new HeadObjectCommand({ Bucket: bucket.bucket, Key: key }));
		expect(stored.ETag).toBe(`"${sumOf(bytes, "md5").toString("hex")}"`);
	} finally {
		s3.destroy();
		await remove();
	}
});

async function* counted(slices: AsyncIterable<Uint8Array>, taken: number[]): AsyncGenerator<Uint8Array> {
	for await (const slice of slices) {
		taken.push(slice.length);
		yield slice;
	}
}
