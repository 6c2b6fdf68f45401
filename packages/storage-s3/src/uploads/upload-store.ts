import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { UploadStore } from "@reelmill/engine/ports";
import { checkId } from "@reelmill/engine/ports";
import { abortMultiparts } from "../client/abort-multiparts.ts";
import { cheaperSum, type SumName } from "../client/body-sum.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import { pageEntries } from "../client/capped-answers.ts";
import { answerOrStorageError, removeKey } from "../client/object-requests.ts";
import { unknownTime } from "../client/unknown-time.ts";
import { readObject } from "../objects/read-object.ts";
import { appendBytes } from "./append-bytes.ts";
import { idOfInfo, infoKey, isKeyOf } from "./upload-keys.ts";
import { beginUpload, findUpload, progressOf } from "./upload-state.ts";

export type S3UploadStoreOptions = {
	/**
	 * Allocates the memory for parts, for callers that count or pool it: up to four buffers of 5 MiB for each running
	 * append (default: memory of Node).
	 */
	readonly allocate?: (bytes: number) => Uint8Array;
	/** The checksum by which the server checks each body (default: the one that costs less on this machine). */
	readonly by?: SumName;
};

/**
 * Stores uploads at the root of a bucket. A whole upload is one object under its id. Until then it is the parts of a
 * multipart upload, and an object with the bytes that don't fill a part. All state is in the bucket, so that any server
 * may go on with an upload. An upload has at most 48 GiB.
 *
 * The access key must be allowed to list the bucket: otherwise S3 answers "forbidden" for objects that don't exist.
 */
export function createS3UploadStore(client: BucketClient, options: S3UploadStoreOptions = {}): UploadStore {
	const { allocate = (bytes) => Buffer.allocUnsafeSlow(bytes), by = cheaperSum() } = options;
	const { bucket } = client.bucket;

	const size = async (id: string): Promise<number | null> => {
		const upload = await findUpload(client, id);
		return upload && (await progressOf(client, upload)).size;
	};

	return {
		capabilities: { presign: true, download: true },
		async create(id) {
			checkId(id);
			await beginUpload(client, id);
		},
		async size(id) {
			checkId(id);
			return size(id);
		},
		async append(id, offset, bytes, appendOptions) {
			checkId(id);
			return appendBytes(client, { allocate, by }, id, offset, bytes, appendOptions);
		},
		async read(id, range) {
			checkId(id);
			const upload = await findUpload(client, id);
			return upload && readObject(client, id, range);
		},
		async presign(id, { seconds }) {
			checkId(id);
			return client.presign(new GetObjectCommand({ Bucket: bucket, Key: id }), seconds);
		},
		async discard(id) {
			checkId(id);
			// The info is removed first. A writer that looks afterwards undoes what it wrote; what a writer wrote before is
			// found here.
			await removeKey(client, infoKey(id));
			await abortMultiparts(client, id, (key) => key === id);
			for await (const { key } of keys(client, id)) if (isKeyOf(id, key)) await removeKey(client, key);
		},
		async *list() {
			for await (const { key } of keys(client, "")) {
				const id = idOfInfo(key);
				const found = id === undefined ? null : await size(id);
				if (id !== undefined && found !== null) yield { id, size: found };
			}
		},
		async *survey({ after }) {
			for await (const { id, objects } of belongings(client, after)) {
				const whole = objects.find(({ key }) => key === id);
				const modifiedAt = new Date(Math.max(...objects.map((each) => each.modifiedAt.getTime())));
				// An object alone may be anybody's. An upload that is whole needs no further look.
				if (objects.length > 1 || whole === undefined)
					yield { id, size: whole?.size ?? (await size(id)) ?? 0, modifiedAt };
			}
		},
	};
}

type RootObject = { readonly key: string; readonly size: number; readonly modifiedAt: Date };

/** Groups the objects at the bucket's root by upload, for ids behind `after`, in order of ids. */
async function* belongings(
	client: BucketClient,
	after: string,
): AsyncGenerator<{ readonly id: string; readonly objects: readonly RootObject[] }> {
	let present: { id: string; objects: RootObject[] } | undefined;
	// "/" sorts behind every key of the upload, since it follows "-" and ".".
	for await (const object of keys(client, "", after === "" ? "" : `${after}/`)) {
		const id = object.key.slice(0, 36);
		if (!isKeyOf(id, object.key)) continue;
		if (present?.id !== id) {
			if (present !== undefined) yield present;
			present = { id, objects: [] };
		}
		present.objects.push(object);
	}
	if (present !== undefined) yield present;
}

/** Lists the objects at the bucket's root whose keys begin with `prefix` and come behind `after`. */
async function* keys(client: BucketClient, prefix: string, after = ""): AsyncGenerator<RootObject> {
	for (let token: string | undefined; ; ) {
		const command = new ListObjectsV2Command({
			Bucket: client.bucket.bucket,
			Prefix: prefix,
			Delimiter: "/",
			MaxKeys: pageEntries,
			...(token ? { ContinuationToken: token } : after !== "" && { StartAfter: after }),
		});
		const page = await answerOrStorageError(client.send(command));
		for (const { Key, Size = 0, LastModified = unknownTime } of page.Contents ?? [])
			if (Key !== undefined) yield { key: Key, size: Size, modifiedAt: LastModified };
		token = page.IsTruncated ? page.NextContinuationToken : undefined;
		if (token === undefined) return;
	}
}
