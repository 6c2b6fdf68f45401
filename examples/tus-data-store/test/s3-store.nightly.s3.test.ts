import { S3Client } from "@aws-sdk/client-s3";
import { uploadStoreCases } from "@reelmill/conformance";
import type { UploadStore } from "@reelmill/engine/ports";
import { openFaultProxy } from "@reelmill/fault-proxy";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { S3Store } from "@tus/s3-store";
import { inject } from "vitest";
import { createTusDataStore, s3Ids } from "../src/index.ts";
import { bucketCases, furtherCases } from "./support/further-cases.ts";
import { comparesWithTable } from "./support/table.ts";

/** S3Store remembers uploads in its process, and so would not see what other servers do. */
const forgetful = { get: async () => undefined, set: async () => {}, delete: async () => {} };

async function open() {
	const { region, endpoint: target, ...credentials } = inject("s3");
	const bucket = await createTestBucket(inject("s3"));
	const proxy = await openFaultProxy({ target });
	const s3 = {
		...{ endpoint: proxy.url, region, credentials, forcePathStyle: true },
		...({ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" } as const),
	};
	const client = new S3Client(s3);
	const create = (): UploadStore => {
		const store = new S3Store({ s3ClientConfig: { ...s3, bucket: bucket.bucket.bucket }, cache: forgetful });
		return createTusDataStore(store, { ids: () => s3Ids(client, bucket.bucket.bucket) });
	};
	return {
		subject: {
			...{ store: create(), elsewhere: create(), proxy, bucket },
			async whileFailing(use: () => Promise<void>) {
				proxy.use({ when: { method: "PUT" }, fault: { kind: "refuse", status: 503 } });
				await use().finally(() => proxy.clear());
			},
		},
		async close() {
			client.destroy();
			await proxy.close();
			await bucket.remove();
		},
	};
}

comparesWithTable("S3Store", [...uploadStoreCases, ...furtherCases, ...bucketCases], open);
