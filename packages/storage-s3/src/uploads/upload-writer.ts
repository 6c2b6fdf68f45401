import { CreateMultipartUploadCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import { abortMultiparts } from "../client/abort-multiparts.ts";
import { checked, type SumName, sumOf } from "../client/body-sum.ts";
import type { BucketClient } from "../client/bucket-client.ts";
import {
	answerOrStorageError,
	type Part,
	putChecked,
	removeKey,
	sendPart,
	withoutQuotes,
} from "../client/object-requests.ts";
import { completeUpload } from "./complete-upload.ts";
import { type Cut, createPartQueue } from "./part-queue.ts";
import { tailKey } from "./upload-keys.ts";
import { type Progress, putTail, type Upload } from "./upload-state.ts";

export type UploadWriter = {
	/** Aborts as soon as a part can't be stored. */
	readonly failed: AbortSignal;
	/** The multipart upload that this writer writes to; null if there is none yet. */
	multipart(): string | null;
	/** Takes the next bytes, from the beginning of the tail on. */
	take(bytes: Uint8Array): Promise<void>;
	/** Makes all bytes that were taken durable. The old tail stays until the new one is stored. */
	keep(): Promise<void>;
	/** Makes one object of all bytes that were taken. `stillThere` tells whether the upload still exists. */
	finish(stillThere: () => Promise<boolean>): Promise<void>;
	/**
	 * Removes what a finished upload left over. Never rejects: leftovers only cost space, and go with the upload's end.
	 */
	tidy(): Promise<void>;
};

/** Makes a writer that goes on where `progress` ends. It sends nothing before the first full part. */
export function createUploadWriter(options: {
	readonly client: BucketClient;
	readonly allocate: (bytes: number) => Uint8Array;
	readonly by: SumName;
	readonly upload: Upload;
	readonly progress: Progress;
	readonly limit: number;
	readonly lastLook: () => AbortSignal;
}): UploadWriter {
	const { client, allocate, by, upload, progress, limit, lastLook } = options;
	const failing = new AbortController();
	const parts: Part[] = [...progress.parts];
	const first = parts.length * upload.partBytes;
	let byMd5 = false;
	let multipart = progress.multipart;
	let opening: Promise<string> | undefined;

	/**
	 * Begins the multipart upload, and records it in the bucket together with the tail's bytes, before anything is sent
	 * to it.
	 */
	async function create(part: Cut): Promise<string> {
		const { bucket } = client.bucket;
		const created = await answerOrStorageError(
			client.send(
				new CreateMultipartUploadCommand({
					Bucket: bucket,
					Key: upload.id,
					Metadata: { generation: upload.generation },
				}),
			),
		);
		if (!created.UploadId) throw new StorageError("failed", "The server began no multipart upload");
		multipart = created.UploadId;
		await putTail(client, upload, { base: 0, multipart, limit }, checked(part.bytes.subarray(0, progress.size), by));
		return multipart;
	}

	/**
	 * Empties the parts that lie behind a gap: they would count again once the gap is filled, although nobody was told of
	 * them. S3 can't remove a part, and Ceph completes nothing that leaves one out; but by then all parts behind the gap
	 * are written again.
	 */
	async function resume(known: string): Promise<string> {
		await Promise.all(
			progress.beyond.map((number) =>
				sendPart(client, upload.id, known, number, checked(new Uint8Array(), by), failing.signal),
			),
		);
		return known;
	}

	async function send(part: Cut): Promise<void> {
		opening ??= progress.multipart === null ? create(part) : resume(progress.multipart);
		const number = part.start / upload.partBytes + 1;
		const sent = await sendPart(client, upload.id, await opening, number, part, failing.signal);
		const last = part.start + part.bytes.length === limit;
		if (last) byMd5 = withoutQuotes(sent.etag) === sumOf(part.bytes, "md5").toString("hex");
		parts[number - 1] = sent;
	}

	const queue = createPartQueue({
		start: first,
		partBytes: upload.partBytes,
		bufferBytes: Math.max(1, Math.min(upload.partBytes, limit - first)),
		allocate,
		by,
		send,
		onFailure: (error) => failing.abort(error),
	});

	return {
		failed: failing.signal,
		multipart: () => multipart,
		take: queue.take,
		async keep() {
			await queue.settled();
			const rest = queue.rest();
			if (rest.bytes.length > 0) await putTail(client, upload, { base: rest.start, multipart, limit }, rest);
		},
		async finish(stillThere) {
			const last = queue.rest();
			if (last.start === 0) {
				if (!(await stillThere())) return;
				await putChecked(client, upload.id, last, { generation: upload.generation });
			} else {
				await queue.flush();
				await completeUpload(client, upload, { multipart: multipart ?? "", parts, size: limit, byMd5, lastLook });
			}
		},
		async tidy() {
			await Promise.allSettled([
				removeKey(client, tailKey(upload.id, upload.generation)),
				multipart !== null && abortMultiparts(client, upload.id, (key) => key === upload.id),
			]);
		},
	};
}
