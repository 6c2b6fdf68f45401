import { conforms, objectStorageCases } from "@reelmill/conformance";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { describe, inject, it } from "vitest";
import { patience } from "../support/patience.ts";

const opener = createBucketOpener({ allow: [], ...patience });

const inBucket = (keyPrefix: string) => async () => {
	const test = await createTestBucket(inject("s3"));
	const [one, other] = [opener.open({ ...test.bucket, keyPrefix }), opener.open({ ...test.bucket, keyPrefix })];
	return {
		subject: { storage: one.outputs, elsewhere: other.outputs },
		async close() {
			await Promise.all([one.close(), other.close()]);
			await test.remove();
		},
	};
};

conforms("object storage in a bucket", objectStorageCases, inBucket(""), { describe, it }, [
	"presign",
	"copy",
	"survey",
]);
conforms(
	"object storage below a prefix of a bucket",
	objectStorageCases,
	inBucket("tenants/acme.1"),
	{ describe, it },
	["presign", "copy", "survey"],
);
