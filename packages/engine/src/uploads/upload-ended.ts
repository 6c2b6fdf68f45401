import { ReelmillError, type UploadEnd } from "@reelmill/contracts";
import type { VideoRecord } from "../videos/index.ts";

/**
 * Returns `upload_not_pending`, with a message that tells of the upload's end, with its name, and with whether every
 * byte came through. `null` stands for a deleted asset.
 */
export function uploadEnded(record: VideoRecord | null, cause?: unknown): ReelmillError {
	return new ReelmillError("upload_not_pending", {
		message: tellOf(record),
		extras: { upload_complete: record !== null && cameThrough(record), upload_end: endOf(record) },
		...(cause !== undefined && { cause }),
	});
}

/**
 * Returns the error for a token whose asset no row tells of: a restore or a failover took it back, or it was forgotten
 * long after its end.
 */
export const uploadUnknown = (): ReelmillError =>
	new ReelmillError("video_not_found", {
		message: "The service knows no such upload: its video or outro is not among its records. Initiate a new one.",
	});

/** Returns whether every byte has arrived and been kept. For whoever sent them nothing else is success. */
export function cameThrough({
	state,
	uploaded_at,
	failure_reason,
}: Pick<VideoRecord, "state" | "uploaded_at" | "failure_reason">): boolean {
	const isLost = state === "failed" && (failure_reason === "source_missing" || failure_reason === "storage_error");
	return uploaded_at !== null && state !== "cancelled" && !isLost;
}

/** Returns whether the first bytes were of no video. */
const wasRefused = ({ state, uploaded_at }: VideoRecord): boolean => state === "failed" && uploaded_at === null;

function endOf(record: VideoRecord | null): UploadEnd {
	if (record === null || record.state === "cancelled") return "cancelled";
	if (record.state === "pending_upload" || record.state === "expired") return "expired";
	if (wasRefused(record)) return "refused";
	return cameThrough(record) ? "finished" : "lost";
}

function tellOf(record: VideoRecord | null): string {
	if (record === null) return "The upload is over: its video or outro was deleted, or another upload replaced it.";
	const { kind, state, expires_at } = record;
	switch (state) {
		case "cancelled":
			return "The upload is over: it was cancelled.";
		case "failed":
			if (wasRefused(record))
				return `The upload is over: its first bytes were of no video, and the ${kind} is in state failed. Initiate a new one.`;
			return cameThrough(record)
				? `The upload is over: every byte has arrived, and the ${kind} is in state failed.`
				: `The upload is over: the storage lost what had arrived, and the ${kind} is in state failed. Initiate a new one.`;
		case "pending_upload":
		case "expired":
			return `The upload is over: its window closed at ${expires_at.toISOString()} before every byte had arrived.`;
		default:
			return `The upload is over: every byte has arrived, and the ${kind} is in state ${state}.`;
	}
}
