import { isReelmillError, ReelmillError } from "@reelmill/contracts";
import { isWorked, type VideoRecord, type VideoStore } from "../../videos/index.ts";

/**
 * Returns the record if this lock is its job's current one.
 *
 * @throws {ReelmillError} `video_not_found`, `invalid_video_state` when nobody works on the job, or `not_lock_holder`.
 */
export function heldBy(lock: string, record: VideoRecord | null): VideoRecord {
	if (record === null) throw new ReelmillError("video_not_found");
	if (!isWorked(record.state)) throw new ReelmillError("invalid_video_state");
	if (record.job?.lock !== lock) throw new ReelmillError("not_lock_holder");
	return record;
}

/**
 * Runs `check` over the outputs of a held job. Whoever ends a job removes its outputs: if they are incomplete or can't
 * be read because the lock was lost meanwhile, the loss of the lock is thrown.
 */
export async function checkWhileHeld<T>(
	store: VideoStore,
	{ id, lock }: { readonly id: string; readonly lock: string },
	check: () => Promise<T>,
): Promise<T> {
	try {
		return await check();
	} catch (error) {
		if (isReelmillError(error, "outputs_incomplete") || isReelmillError(error, "storage_unavailable"))
			heldBy(lock, await store.find(id));
		throw error;
	}
}
