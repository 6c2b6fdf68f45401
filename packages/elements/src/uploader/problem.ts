import { isReelmillError, obstacleOf } from "@reelmill/client";
import { isOver } from "../base/await-video.ts";
import { fill, textOfCode, type UploaderWords } from "../words/words.ts";
import type { UploaderFile } from "./file-list.ts";

/** Says in words why a file is not uploaded; null if nothing is wrong with it. */
export function problemOf(
	{ status, refusal, upload, video }: UploaderFile,
	{ errors, expired, cancelled }: UploaderWords,
): string | null {
	if (refusal) return textOfCode(errors, refusal);
	if (video && isOver(video) && !video.outputs) {
		if (video.state === "cancelled") return cancelled;
		return (errors as Readonly<Record<string, string>>)[video.failure_reason ?? ""] ?? errors.not_processed;
	}
	if (status === "expired") return expired;
	if (status !== "failed") return null;
	const error = upload?.error ?? null;
	return fill(textOfCode(errors, codeOf(error)), { status: String((error as { status?: unknown } | null)?.status) });
}

/** The code of an upload's error, for which there are words. */
function codeOf(error: Error | null): string {
	// Something on the way answered in the service's place.
	if (isReelmillError(error) && error.rawCode === undefined) return `way_${obstacleOf(error.status)}`;
	if (isReelmillError(error)) return aliases[error.code] ?? error.code;
	if (error?.name === "ConnectionError") return "connection";
	// What reading a file that was moved, changed or locked rejects with.
	if (error instanceof DOMException && /^Not(?:Found|Readable)Error$/.test(error.name)) return "file_unreadable";
	if (error instanceof TypeError) return "connection";
	const code = (error as { code?: unknown } | null)?.code;
	return typeof code === "string" ? code : "unknown";
}

/** Codes that mean the same to an uploader. */
const aliases: Readonly<Record<string, string>> = {
	not_found: "video_not_found",
	invalid_state: "upload_not_pending",
	storage_unavailable: "internal_error",
};
