import { randomBytes } from "node:crypto";
import {
	AbortMultipartUploadCommand,
	CreateBucketCommand,
	DeleteBucketCommand,
	DeleteBucketPolicyCommand,
	DeleteObjectCommand,
	ListMultipartUploadsCommand,
	ListObjectsV2Command,
	type MultipartUpload,
	PutBucketPolicyCommand,
} from "@aws-sdk/client-s3";
import type { Bucket } from "@reelmill/engine/ports";
import { type BucketClient, createBucketClient } from "../client/bucket-client.ts";
import { pageEntries } from "../client/capped-answers.ts";
import { s3Bucket } from "../client/s3-bucket.ts";
import type { TestServer } from "./gateway.ts";

/** A bucket of a test's own. */
export type TestBucket = {
	/** A bucket of the platform, without a key prefix. Spread it to change that: `{ ...bucket, owner: "tenant" }`. */
	readonly bucket: Bucket;
	/** Lists every key in the bucket, in order, whoever put it. */
	keys(): Promise<string[]>;
	/** Lists the keys of multipart uploads that are neither complete nor aborted. */
	unfinished(): Promise<string[]>;
	/**
	 * Forbids these actions, such as `s3:PutObject`, to everybody, the owner included. Without actions it allows all
	 * again.
	 */
	forbid(...actions: readonly string[]): Promise<void>;
	/**
	 * Allows these actions without a key, on keys such as `videos/public/*`, or on the bucket itself if `on` is empty.
	 * Without rights it takes all back.
	 */
	letAnyone(...rights: readonly { readonly action: string; readonly on: string }[]): Promise<void>;
	/** Aborts all unfinished multipart uploads, as a lifecycle rule does. */
	abortUnfinished(): Promise<void>;
	/** Deletes the bucket and everything in it. */
	remove(): Promise<void>;
};

/**
 * Makes a new, empty bucket (default: with a random name).
 *
 * @example
 * ```ts
 * import { createTestBucket } from "@reelmill/storage-s3/testing";
 *
 * const bucket = await createTestBucket({
 * 	endpoint: "http://127.0.0.1:7480",
 * 	region: "us-east-1",
 * 	accessKeyId: "the-access-key",
 * 	secretAccessKey: "the-secret-key",
 * });
 * console.log(await bucket.keys()); // => []
 * await bucket.remove();
 * ```
 */
export async function createTestBucket(
	server: TestServer,
	name = `test-${randomBytes(8).toString("hex")}`,
): Promise<TestBucket> {
	const place = { owner: "platform", bucket: name } as const;
	const bucket = s3Bucket({ forcePathStyle: true, ...server, ...place });
	const named = { Bucket: bucket.bucket };
	// A killed gateway leaves watches behind. The next one waits for them before it changes a bucket.
	const client = createBucketClient(bucket, { rules: { allows: () => true }, answerTimeoutMilliseconds: 60_000 });
	await client.send(new CreateBucketCommand(named));
	const abortUnfinished = async () => {
		for (const { Key, UploadId } of await uploads(client))
			await client.send(new AbortMultipartUploadCommand({ ...named, Key, UploadId }));
	};
	return {
		bucket,
		abortUnfinished,
		keys: () => keys(client),
		unfinished: async () => (await uploads(client)).map(({ Key }) => Key ?? ""),
		async forbid(...actions) {
			if (actions.length === 0) return void (await client.send(new DeleteBucketPolicyCommand(named)));
			const Resource = [`arn:aws:s3:::${bucket.bucket}`, `arn:aws:s3:::${bucket.bucket}/*`];
			const Policy = JSON.stringify({
				Version: "2012-10-17",
				Statement: [{ Effect: "Deny", Principal: "*", Action: actions, Resource }],
			});
			await client.send(new PutBucketPolicyCommand({ ...named, Policy }));
		},
		async letAnyone(...rights) {
			if (rights.length === 0) return void (await client.send(new DeleteBucketPolicyCommand(named)));
			const statement = ({ action, on }: (typeof rights)[number]) => ({
				...{ Effect: "Allow", Principal: "*", Action: [action] },
				Resource: `arn:aws:s3:::${bucket.bucket}${on === "" ? "" : `/${on}`}`,
			});
			const Policy = JSON.stringify({ Version: "2012-10-17", Statement: rights.map(statement) });
			await client.send(new PutBucketPolicyCommand({ ...named, Policy }));
		},
		async remove() {
			await abortUnfinished();
			for (const Key of await keys(client)) await client.send(new DeleteObjectCommand({ ...named, Key }));
			await client.send(new DeleteBucketCommand(named));
			client.close();
		},
	};
}

async function keys(client: BucketClient): Promise<string[]> {
	const found: string[] = [];
	let ContinuationToken: string | undefined;
	do {
		const page = await client.send(
			new ListObjectsV2Command({ Bucket: client.bucket.bucket, ContinuationToken, MaxKeys: pageEntries }),
		);
		for (const { Key } of page.Contents ?? []) if (Key !== undefined) found.push(Key);
		ContinuationToken = page.NextContinuationToken;
	} while (ContinuationToken !== undefined);
	return found;
}

async function uploads(client: BucketClient) {
	const found: MultipartUpload[] = [];
	let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
	for (;;) {
		const page = await client.send(
			new ListMultipartUploadsCommand({ Bucket: client.bucket.bucket, MaxUploads: pageEntries, ...marker }),
		);
		found.push(...(page.Uploads ?? []));
		if (!page.IsTruncated) return found;
		marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
	}
}
