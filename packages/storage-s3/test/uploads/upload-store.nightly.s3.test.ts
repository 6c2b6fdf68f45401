import { conforms, uploadStoreCases } from "@reelmill/conformance";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { describe, inject, it } from "vitest";
import { createBucketClient } from "../../src/client/bucket-client.ts";
import { createS3UploadStore } from "../../src/uploads/upload-store.ts";
import { patience } from "../support/patience.ts";

for (const by of ["sha256", "md5"] as const) {
	async function open() {
		const { bucket, remove } = await createTestBucket(inject("s3"));
		const clients = [bucket, bucket].map((same) =>
			createBucketClient(same, { rules: { allows: () => true }, ...patience }),
		);
		const [store, elsewhere] = clients.map((client) => createS3UploadStore(client, { by }));
		if (!store || !elsewhere) throw new Error("There are two clients");
		return {
			subject: { store, elsewhere },
			async close() {
				for (const client of clients) client.close();
				await remove();
			},
		};
	}

	conforms(`upload store in a bucket, checked by ${by}`, uploadStoreCases, open, { describe, it }, [
		"presign",
		"survey",
	]);
}
