import { CreateMultipartUploadCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import { checked, type SumName, sumOf } from "./body-sum.ts";
import type { BucketClient } from "./client.ts";
import { abortMultiparts } from "./multiparts.ts";
import { completeUpload } from "./upload-finish.ts";
import { tailKey } from "./upload-keys.ts";
import { type Cut, createPartQueue } from "./upload-parts.ts";
import { bare, must, type Part, putChecked, removeKey, sendPart } from "./upload-requests.ts";
import { type Progress, putTail, type Upload } from "./upload-state.ts";

export type UploadWriter = {
	/** Aborts as soon as a part can't be stored. */
	readonly failed: AbortSignal;
	/** The multipart upload that this writer writes to; null while there is none. */
	multipart(): string | null;
	/** The next bytes from the beginning of the tail on. */
	take(bytes: Uint8Array): Promise<void>;
	/** Makes all that was taken durable. Until the new tail is stored the old one stays. */
	keep(): Promise<void>;
	/** Makes one object of all that was taken. `stillThere` tells whether the upload hasn't been discarded. */
	finish(stillThere: () => Promise<boolean>): Promise<void>;
	/**
	 * Removes what a finished upload left over. It costs nothing but room, and goes with the upload's end: so this never
	 * rejects.
	 */
	tidy(): Promise<void>;
};

/** Writes on where `progress` ends. Sends nothing before the first full part. */
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
	 * Makes the multipart upload, and says so in the bucket, with the tail's bytes as they are known there, before
	 * anything is sent to it.
	 */
	async function create(part: Cut): Promise<string> {
		const { bucket } = client.bucket;
		const created = await must(
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
	 * Empties parts that lie behind a gap: once it is filled they would count again, and nobody was told of them. (S3
	 * can't remove a part, and Ceph completes nothing that leaves one out, but those behind a gap are all written again
	 * by then.)
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
		if (last) byMd5 = bare(sent.etag) === sumOf(part.bytes, "md5").toString("hex");
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
