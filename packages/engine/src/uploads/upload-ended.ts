import { ReelmillError } from "@reelmill/contracts";
import type { VideoRecord } from "../videos/index.ts";

/** `upload_not_pending`, with a message that names the end which the upload came to. `null` stands for an asset that no longer exists. */
export function uploadEnded(record: VideoRecord | null, cause?: unknown): ReelmillError {
	return new ReelmillError("upload_not_pending", { message: endOf(record), ...(cause !== undefined && { cause }) });
}

function endOf(record: VideoRecord | null): string {
	if (record === null) return "The upload is over: its video or outro was deleted, or another upload replaced it.";
	const { kind, state, expires_at } = record;
	switch (state) {
		case "cancelled":
			return "The upload is over: it was cancelled.";
		case "pending_upload":
		case "expired":
			return `The upload is over: its window closed at ${expires_at.toISOString()} before every byte had arrived.`;
		default:
			return `The upload is over: every byte has arrived, and the ${kind} is in state ${state}.`;
	}
}
