import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Bucket } from "@reelmill/engine/ports";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestServer } from "@reelmill/storage-s3/testing";
import { S3Store } from "@tus/s3-store";
import { Upload } from "@tus/utils";

export type UploadStoreRun = {
	readonly side: "ours" | "s3-store";
	readonly server: TestServer;
	readonly bytes: number;
	readonly atOnce: number;
};
export type UploadStoreUsage = {
	readonly cpuSeconds: number;
	readonly seconds: number;
	readonly arrayBuffers: number;
	readonly rss: number;
};

const { side, server, bytes, atOnce } = JSON.parse(process.argv[2] ?? "") as UploadStoreRun;
const block = randomBytes(64 * 1024);

async function* source(length: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < length; at += block.length) yield block.subarray(0, length - at);
}

function sender(bucket: Bucket): (length: number) => Promise<number> {
	if (side === "ours") {
		const { uploads } = createBucketOpener({ allow: [] }).open(bucket);
		return async (length) => {
			const id = randomUUID();
			await uploads.create(id);
			return uploads.append(id, 0, source(length), { limit: length });
		};
	}
	const { endpoint, region, accessKeyId, secretAccessKey } = server;
	const store = new S3Store({
		s3ClientConfig: {
			bucket: bucket.bucket,
			endpoint,
			region,
			forcePathStyle: true,
			credentials: { accessKeyId, secretAccessKey },
			requestChecksumCalculation: "WHEN_REQUIRED",
			responseChecksumValidation: "WHEN_REQUIRED",
		},
	});
	return async (length) => {
		const id = randomUUID();
		await store.create(new Upload({ id, size: length, offset: 0 }));
		return store.write(Readable.from(source(length)), id, 0);
	};
}

const { bucket, remove } = await createTestBucket(server);
const send = sender(bucket);
// Memory that a first upload takes must be taken before the measurement.
await send(atOnce > 1 ? 12_000_000 : bytes);
const before = process.memoryUsage();
let [arrayBuffers, rss] = [0, 0];
const watch = () => {
	const now = process.memoryUsage();
	arrayBuffers = Math.max(arrayBuffers, now.arrayBuffers - before.arrayBuffers);
	rss = Math.max(rss, now.rss - before.rss);
};
// Watching the memory costs up to a tenth of what is measured, so CPU is measured without it.
const watching = atOnce > 1 ? setInterval(watch, 5) : undefined;
const [started, cpu] = [performance.now(), process.cpuUsage()];
const sent = await Promise.all(Array.from({ length: atOnce }, () => send(bytes)));
const used = process.cpuUsage(cpu);
const seconds = (performance.now() - started) / 1000;
clearInterval(watching);
if (sent.some((size) => size !== bytes)) throw new Error(`sent ${sent.join(", ")} of ${bytes} bytes`);
await remove();
const usage: UploadStoreUsage = { cpuSeconds: (used.user + used.system) / 1e6, seconds, arrayBuffers, rss };
console.log(JSON.stringify(usage));
process.exit();
