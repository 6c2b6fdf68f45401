import {
	DeleteObjectCommand,
	GetObjectCommand,
	HeadObjectCommand,
	ListObjectsV2Command,
	PutObjectCommand,
} from "@aws-sdk/client-s3";
import { checkKey, checkPrefix, type ObjectStorage, StorageError, type SurveyedObject } from "@reelmill/engine/ports";
import pMap from "p-map";
import { abortMultiparts } from "../client/abort-multiparts.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { pageEntries } from "../client/capped-answers.ts";
import { hasCode, statusOf, storageError } from "../client/errors.ts";
import { checkBucketExists } from "../client/missing-bucket.ts";
import { headOf } from "../client/object-requests.ts";
import { unknownTime } from "../client/unknown-time.ts";
import { copyObject } from "./copy-object.ts";
import { putObject } from "./put-object.ts";
import { readObject } from "./read-object.ts";

const deletesAtOnce = 16;

/**
 * Stores objects in a bucket, below its key prefix. Every error of the server or of the way to it is a StorageError.
 *
 * The access key must be allowed to list the bucket: otherwise S3 answers "forbidden" for objects that don't exist. A
 * killed process leaves the parts of its puts behind until their prefix is deleted: let the bucket abort incomplete
 * multipart uploads after a day.
 */
export function createS3ObjectStorage(client: BucketClient): ObjectStorage {
	const { bucket: Bucket, keyPrefix } = client.bucket;
	const base = keyPrefix === "" ? "" : `${keyPrefix}/`;
	const at = (key: string) => {
		checkKey(key);
		return { Bucket, Key: `${base}${key}` };
	};

	return {
		capabilities: { presign: true, download: true },
		async put(key, bytes, { signal } = {}) {
			const { Key } = at(key);
			return { key, size: await putObject(client, Key, bytes, signal) };
		},
		async get(key, range) {
			return readObject(client, at(key).Key, range);
		},
		async head(key) {
			try {
				const { ContentLength } = await client.send(new HeadObjectCommand(at(key)));
				return { key, size: ContentLength ?? 0 };
			} catch (error) {
				if (statusOf(error) !== 404) throw storageError(error);
				await checkBucketExists(client);
				return null;
			}
		},
		async delete(key) {
			await remove(client, at(key));
		},
		async copy(from, to) {
			const [source, target] = [at(from), at(to)];
			const found = await headOf(client, source.Key);
			if (found === null) {
				await checkBucketExists(client);
				return null;
			}
			await copyObject(client, source.Key, target.Key, found.size);
			return { key: to, size: found.size };
		},
		async *list(prefix) {
			checkPrefix(prefix);
			for await (const { key, size } of listAll(client, `${base}${prefix}`, base.length)) yield { key, size };
		},
		async *survey({ prefix, after }) {
			if (prefix !== "") checkPrefix(prefix);
			yield* listAll(client, `${base}${prefix}`, base.length, after === "" ? "" : `${base}${after}`);
		},
		async presign(key, request) {
			const target = at(key);
			if (request.method === "GET") return client.presign(new GetObjectCommand(target), request.seconds);
			return client.presign(
				new PutObjectCommand({ ...target, ContentLength: request.size, IfNoneMatch: "*" }),
				request.seconds,
			);
		},
		async deletePrefix(prefix) {
			checkPrefix(prefix);
			// Unfinished puts are aborted first: none of them may become an object after the objects are gone.
			await abortMultiparts(client, `${base}${prefix}`);
			await pMap(listAll(client, `${base}${prefix}`, 0), ({ key }) => remove(client, { Bucket, Key: key }), {
				concurrency: deletesAtOnce,
			});
		},
	};
}

/**
 * Objects are deleted one by one: DeleteObjects needs a checksum that not every server takes, and not every server has
 * it.
 */
async function remove(client: BucketClient, target: { readonly Bucket: string; readonly Key: string }): Promise<void> {
	try {
		await client.send(new DeleteObjectCommand(target));
	} catch (error) {
		if (!hasCode(error, "NoSuchKey")) throw storageError(error);
	}
}

/** S3 lists keys in the order of their bytes; our keys are ASCII. */
async function* listAll(client: BucketClient, Prefix: string, cut: number, after = ""): AsyncGenerator<SurveyedObject> {
	let ContinuationToken: string | undefined;
	let last = after;
	do {
		const from = ContinuationToken === undefined && after !== "" ? { StartAfter: after } : {};
		const command = new ListObjectsV2Command({
			Bucket: client.bucket.bucket,
			Prefix,
			ContinuationToken,
			MaxKeys: pageEntries,
			...from,
		});
		const page = await client.send(command).catch((error: unknown) => {
			throw storageError(error);
		});
		// Any other answer, such as an HTML page with status 200, parses as an empty list.
		if (page.IsTruncated === undefined) throw new StorageError("failed", "The server didn't answer with a list");
		for (const { Key = "", Size = 0, LastModified = unknownTime } of page.Contents ?? []) {
			if (!Key.startsWith(Prefix) || Key <= last)
				throw new StorageError("failed", "The server didn't answer with the list that it was asked for");
			last = Key;
			yield { key: Key.slice(cut), size: Size, modifiedAt: LastModified };
		}
		ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
	} while (ContinuationToken !== undefined);
}
