import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { UploadStore } from "@reelmill/engine/ports";
import { checkId } from "@reelmill/engine/ports";
import { cheaperSum, type SumName } from "./body-sum.ts";
import { pageEntries } from "./capped-answers.ts";
import type { BucketClient } from "./client.ts";
import { abortMultiparts } from "./multiparts.ts";
import { readObject } from "./read-object.ts";
import { timeless } from "./timeless.ts";
import { appendBytes } from "./upload-append.ts";
import { idOfInfo, infoKey, isKeyOf } from "./upload-keys.ts";
import { must, removeKey } from "./upload-requests.ts";
import { beginUpload, findUpload, progressOf } from "./upload-state.ts";

export type S3UploadStoreOptions = {
	/**
	 * Where the memory for parts comes from, for those who count or pool it: up to four buffers of 5 MiB for each append
	 * that runs. Default: Node.
	 */
	readonly allocate?: (bytes: number) => Uint8Array;
	/** By which sum the server checks each body. Default: the one that costs less on this machine. */
	readonly by?: SumName;
};

/**
 * Uploads at the root of a bucket, each under its id once it is whole, and until then as parts of a multipart upload
 * with what doesn't fill a part beside them. All that there is to know of an upload is in the bucket, so that any
 * server may go on with it. An upload may have 48 GiB at most.
 *
 * The access key must be allowed to list the bucket, or else S3 calls what isn't there forbidden.
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
			// The info first: a writer that looks afterwards undoes what it wrote, one that looked before wrote what is found
			// here.
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
				// An object alone may be anybody's; one of an upload that is whole needs no further look.
				if (objects.length > 1 || whole === undefined)
					yield { id, size: whole?.size ?? (await size(id)) ?? 0, modifiedAt };
			}
		},
	};
}

type RootObject = { readonly key: string; readonly size: number; readonly modifiedAt: Date };

/** What lies at the bucket's root of each upload behind `after`, in order of ids. */
async function* belongings(
	client: BucketClient,
	after: string,
): AsyncGenerator<{ readonly id: string; readonly objects: readonly RootObject[] }> {
	let present: { id: string; objects: RootObject[] } | undefined;
	// "/" comes behind all that follows the id in the keys of its upload.
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

/** The objects at the bucket's root whose keys begin with `prefix` and come behind `after`. */
async function* keys(client: BucketClient, prefix: string, after = ""): AsyncGenerator<RootObject> {
	for (let token: string | undefined; ; ) {
		const command = new ListObjectsV2Command({
			Bucket: client.bucket.bucket,
			Prefix: prefix,
			Delimiter: "/",
			MaxKeys: pageEntries,
			...(token ? { ContinuationToken: token } : after !== "" && { StartAfter: after }),
		});
		const page = await must(client.send(command));
		for (const { Key, Size = 0, LastModified = timeless } of page.Contents ?? [])
			if (Key !== undefined) yield { key: Key, size: Size, modifiedAt: LastModified };
		token = page.IsTruncated ? page.NextContinuationToken : undefined;
		if (token === undefined) return;
	}
}
