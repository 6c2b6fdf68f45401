import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Bytes } from "@reelmill/engine/ports";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener, s3Bucket } from "@reelmill/storage-s3";
import { createTestBucket, startTestGateway, type TestServer } from "@reelmill/storage-s3/testing";
import { S3Store } from "@tus/s3-store";
import { Upload } from "@tus/utils";

type Side = {
	create(id: string): Promise<unknown>;
	size(id: string): Promise<number | null>;
	append(id: string, offset: number): Promise<number>;
	read(id: string): Promise<Bytes>;
	close(): Promise<void>;
};

const file = randomBytes(32_000_000);
const sha256 = async (bytes: Bytes): Promise<string> => {
	const hash = createHash("sha256");
	for await (const chunk of bytes) hash.update(chunk);
	return hash.digest("hex");
};

/**
 * Measures nothing, but shows why there is a store of our own: the second part of an upload is answered 500 after the
 * third has gone through; then the upload asks for its offset and goes on from there. Prints what becomes of the file
 * with @tus/s3-store and with our store.
 */
export async function s3LatePart(): Promise<void> {
	const gateway = await startTestGateway();
	try {
		for (const [name, open] of Object.entries({ "@tus/s3-store": s3Store, ours })) {
			const { bucket } = await createTestBucket(gateway.server);
			const proxy = await openFaultProxy({ target: gateway.server.endpoint });
			const side = open(bucket.bucket, { ...gateway.server, endpoint: proxy.url });
			console.log(`s3-late-part  ${name}: ${await goOn(side, proxy)}`);
			await side.close();
			await proxy.close();
		}
	} finally {
		await gateway.close();
	}
}

async function goOn(side: Side, proxy: FaultProxy): Promise<string> {
	const id = randomUUID();
	await side.create(id);
	const part = (number: number) => ({ method: "PUT", query: { partNumber: String(number) } });
	const third = proxy.use({ when: part(3), fault: { kind: "pass" } });
	proxy.use({ when: part(2), until: third.hit(), fault: { kind: "refuse", status: 500 } });
	const failure = await side.append(id, 0).then(
		() => "no error",
		(error: Error) => error.message,
	);
	proxy.clear();
	const offset = (await side.size(id)) ?? 0;
	const end = await side.append(id, offset);
	const same = (await sha256(await side.read(id))) === (await sha256(Readable.from([file])));
	const bytes = same ? "the same bytes" : "OTHER BYTES than were sent";
	return `"${failure}"; said to stand at ${offset}; resumed to ${end} of ${file.length} without an error; ${bytes}`;
}

const from = (offset: number): Readable => Readable.from(chunks(offset));
function* chunks(offset: number): Generator<Buffer> {
	for (let at = offset; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
}

function ours(bucket: string, server: TestServer): Side {
	const { uploads, close } = createBucketOpener({ allow: [] }).open(
		s3Bucket({ owner: "platform", forcePathStyle: true, ...server, bucket }),
	);
	return {
		create: uploads.create,
		size: uploads.size,
		append: (id, offset) => uploads.append(id, offset, from(offset), { limit: file.length }),
		read: async (id) => (await uploads.read(id))?.bytes ?? Readable.from([]),
		close,
	};
}

function s3Store(bucket: string, { endpoint, region, ...credentials }: TestServer): Side {
	const store = new S3Store({
		s3ClientConfig: {
			bucket,
			endpoint,
			region,
			forcePathStyle: true,
			credentials,
			requestChecksumCalculation: "WHEN_REQUIRED",
			responseChecksumValidation: "WHEN_REQUIRED",
		},
	});
	return {
		create: (id) => store.create(new Upload({ id, size: file.length, offset: 0 })),
		size: async (id) => (await store.getUpload(id)).offset,
		append: (id, offset) => store.write(from(offset), id, offset),
		read: (id) => store.read(id),
		close: async () => {},
	};
}
