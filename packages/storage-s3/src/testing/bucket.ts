import { randomBytes } from "node:crypto";
import {
	AbortMultipartUploadCommand,
	CreateBucketCommand,
	DeleteBucketCommand,
	DeleteObjectCommand,
	ListMultipartUploadsCommand,
	ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import type { Bucket } from "@reelmill/engine/ports";
import { type BucketClient, createBucketClient } from "../client.ts";
import type { TestServer } from "./gateway.ts";

export type TestBucket = {
	/** Of the platform, without a key prefix. Spread it to have it otherwise: `{ ...bucket, owner: "tenant" }`. */
	readonly bucket: Bucket;
	/** Every key in the bucket, whoever put it, in order. */
	keys(): Promise<string[]>;
	/** The keys of multipart uploads that are neither complete nor aborted. */
	unfinished(): Promise<string[]>;
	/** Deletes the bucket with all in it. */
	remove(): Promise<void>;
};

/** A new, empty bucket with a random name. */
export async function createTestBucket(server: TestServer): Promise<TestBucket> {
	const bucket: Bucket = {
		owner: "platform",
		publicEndpoint: null,
		keyPrefix: "",
		forcePathStyle: true,
		...server,
		bucket: `test-${randomBytes(8).toString("hex")}`,
	};
	const name = { Bucket: bucket.bucket };
	const client = createBucketClient(bucket, { rules: { allows: () => true } });
	await client.send(new CreateBucketCommand(name));
	return {
		bucket,
		keys: () => keys(client),
		unfinished: async () => (await uploads(client)).map(({ Key }) => Key ?? ""),
		async remove() {
			for (const { Key, UploadId } of await uploads(client)) await client.send(new AbortMultipartUploadCommand({ ...name, Key, UploadId }));
			for (const Key of await keys(client)) await client.send(new DeleteObjectCommand({ ...name, Key }));
			await client.send(new DeleteBucketCommand(name));
			client.close();
		},
	};
}

async function keys(client: BucketClient): Promise<string[]> {
	const found: string[] = [];
	let ContinuationToken: string | undefined;
	do {
		const page = await client.send(new ListObjectsV2Command({ Bucket: client.bucket.bucket, ContinuationToken }));
		for (const { Key } of page.Contents ?? []) if (Key !== undefined) found.push(Key);
		ContinuationToken = page.NextContinuationToken;
	} while (ContinuationToken !== undefined);
	return found;
}

const uploads = async (client: BucketClient) => (await client.send(new ListMultipartUploadsCommand({ Bucket: client.bucket.bucket }))).Uploads ?? [];
