/**
 * Why an import can fail besides what refuses an upload, and why one waits. This file imports nothing at run time, so
 * that clients can have it.
 */
export const importFailures = {
	address_refused: "The address, or one that it redirects to, is private or reserved.",
	address_unreachable: "The address can't be reached.",
	too_many_redirects: "The address redirects too often.",
	source_refused: "The origin doesn't give the file.",
	source_unavailable: "The origin failed, broke off or sent nothing.",
	source_changed: "The file was replaced while it was fetched.",
	source_not_resumable: "The connection broke, and the origin says nothing by which the same file is known again.",
	size_unknown: "The origin doesn't say how large the file is.",
	upload_expired: "The upload's window closed before the file was here.",
	import_expired: "The import took longer than it may.",
} as const;
/** Why an import failed or waits: a word of its own, or a code by which an upload is refused. */
export type ImportFailureCode = keyof typeof importFailures;
