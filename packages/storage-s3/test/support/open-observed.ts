import { CompleteMultipartUploadCommand, PutObjectCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { Bucket, UploadStore } from "@reelmill/engine/ports";
import { createTestBucket, type TestBucket, type TestServer } from "@reelmill/storage-s3/testing";
import type { SumName } from "../../src/client/body-sum.ts";
import { type BucketClient, createBucketClient } from "../../src/client/bucket-client.ts";
import { createS3UploadStore } from "../../src/uploads/upload-store.ts";
import { patience } from "./patience.ts";

/** The bytes that a command sent. */
export type SentBody = { readonly key: string; readonly part: number | null; readonly bytes: number };

export type Observed = {
	readonly bucket: TestBucket;
	readonly client: BucketClient;
	readonly uploads: UploadStore;
	/** The names of the commands that were sent, in order. */
	readonly commands: readonly string[];
	readonly bodies: readonly SentBody[];
	/** How many bodies were sent at once at most, and how much memory was allocated for parts. */
	readonly most: { atOnce: number; allocated: number };
	/** Set it to make commands fail instead of being sent. */
	refuse: (command: object) => Error | undefined;
	close(): Promise<void>;
};

/** Opens a store in a new bucket, and observes its client and its memory. */
export async function openObserved(
	server: TestServer,
	settings: Partial<Bucket> = {},
	by?: SumName,
): Promise<Observed> {
	const bucket = await createTestBucket(server);
	const client = createBucketClient({ ...bucket.bucket, ...settings }, { rules: { allows: () => true }, ...patience });
	const commands: string[] = [];
	const bodies: SentBody[] = [];
	const most = { atOnce: 0, allocated: 0 };
	let atOnce = 0;
	const send: BucketClient["send"] = async (command, signal) => {
		const failure = observed.refuse(command);
		if (failure) throw failure;
		commands.push(command.constructor.name);
		const body = bodyOf(command);
		if (body === null) return client.send(command, signal);
		bodies.push(body);
		atOnce += 1;
		most.atOnce = Math.max(most.atOnce, atOnce);
		return client.send(command, signal).finally(() => {
			atOnce -= 1;
		});
	};
	const allocate = (bytes: number): Uint8Array => {
		most.allocated += bytes;
		return Buffer.allocUnsafeSlow(bytes);
	};
	const watchedClient = { ...client, send };
	const observed: Observed = {
		bucket,
		client,
		uploads: createS3UploadStore(watchedClient, { allocate, ...(by && { by }) }),
		commands,
		bodies,
		most,
		refuse: () => undefined,
		async close() {
			client.close();
			await bucket.remove();
		},
	};
	return observed;
}

export const isCompletion = (command: object): boolean => command instanceof CompleteMultipartUploadCommand;

function bodyOf(command: object): SentBody | null {
	if (!(command instanceof UploadPartCommand || command instanceof PutObjectCommand)) return null;
	const { Key = "", Body } = command.input;
	const part = command instanceof UploadPartCommand ? (command.input.PartNumber ?? 0) : null;
	return { key: Key, part, bytes: (Body as Uint8Array).length };
}
