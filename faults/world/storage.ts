import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { createTestBucket, startTestGateway, type TestBucket, type TestGateway } from "@reelmill/storage-s3/testing";

/** A bucket behind a proxy that can break every request to it. */
export type Storage = {
	readonly proxy: FaultProxy;
	readonly bucket: TestBucket;
	/** Kills the gateway and starts it again after a pause. */
	crash(milliseconds: number): Promise<void>;
	/** Writes the file that describes this location to servers. */
	writeLocations(path: string): Promise<void>;
	close(): Promise<void>;
};
export const locationId = "bucket";

export async function openStorage(): Promise<Storage> {
	const gateway: TestGateway = await startTestGateway();
	const proxy = await openFaultProxy({ target: gateway.server.endpoint });
	const bucket = await createTestBucket(gateway.server);
	return {
		proxy,
		bucket,
		async crash(milliseconds) {
			await gateway.kill();
			await sleep(milliseconds);
			await gateway.restart();
		},
		async writeLocations(path) {
			const { accessKeyId, secretAccessKey, region } = gateway.server;
			const location = {
				id: locationId,
				name: "Bucket",
				region,
				endpoint: proxy.url,
				bucket: bucket.bucket.bucket,
				force_path_style: true,
				access_key_id: accessKeyId,
				secret_access_key: secretAccessKey,
			};
			await writeFile(path, JSON.stringify([location]));
		},
		async close() {
			await proxy.close();
			await gateway.close();
		},
	};
}
