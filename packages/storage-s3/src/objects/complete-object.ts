import type { CompleteMultipartUploadCommand } from "@aws-sdk/client-s3";
import { StorageError } from "@reelmill/engine/ports";
import type { BucketClient } from "../client/bucket-client.ts";
import { storageError } from "../client/errors.ts";
import { sendPatiently } from "../client/long-requests.ts";
import { throwIfBucketIsGone } from "../client/missing-bucket.ts";
import { headOf } from "../client/object-requests.ts";

/** The metadata by which an object is recognised if the answer to its making was lost. */
export const putMark = "put";

/**
 * Completes an object, and looks at what is stored under the key, whatever the completion answered: a completion whose
 * answer was lost is refused when it is sent again. Of two puts to one key at once, the one that was replaced rejects.
 */
export async function completeObject(
	client: BucketClient,
	target: { readonly Bucket: string; readonly Key: string },
	command: CompleteMultipartUploadCommand,
	{ id, size, lastLook }: { readonly id: string; readonly size: number; readonly lastLook: () => AbortSignal },
): Promise<void> {
	let failure: StorageError | undefined;
	const failed = (error: unknown): undefined => {
		failure ??= storageError(error);
	};
	await sendPatiently(client, command).catch(failed);
	const found = await headOf(client, target.Key, failure && lastLook()).catch(failed);
	if (found === null) await throwIfBucketIsGone(client, lastLook());
	if (found?.metadata[putMark] !== id || found.size !== size)
		throw failure ?? new StorageError("failed", "The server lost what was stored, or another put replaced it at once");
}
