import { conforms, uploadStoreCases } from "@reelmill/conformance";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { describe, inject, it } from "vitest";

async function open() {
	const { bucket, remove } = await createTestBucket(inject("s3"));
	const opener = createBucketOpener({ allow: [] });
	const [one, other] = [opener.open(bucket), opener.open(bucket)];
	return {
		subject: { store: one.uploads, elsewhere: other.uploads },
		async close() {
			await Promise.all([one.close(), other.close()]);
			await remove();
		},
	};
}

conforms("upload store in a bucket", uploadStoreCases, open, { describe, it }, ["presign"]);
