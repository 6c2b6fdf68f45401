const again = "Run the same command again.";
const newList = "Its address may be over: make the list anew, and run the command again.";
const ownMachine = "If your machine reaches it, `reelmill import` downloads and uploads it.";

/** What to do, by the code of what failed. */
const byCode: Readonly<Record<string, string>> = {
	address_refused: `${ownMachine} An operator may allow the address by REELMILL_IMPORT_ALLOW_CIDRS.`,
	address_unreachable: `Look whether the address is right. ${ownMachine}`,
	too_many_redirects: "List the address to which it leads in the end.",
	source_refused: newList,
	source_unavailable: again,
	source_changed: again,
	source_not_resumable: ownMachine,
	size_unknown: "List it with its file_size, or use `reelmill import`.",
	size_mismatch: "List it without a file_size, or with the right one.",
	upload_expired: again,
	import_expired: again,
	invalid_content_type: "List the address of a video file, not of a page or a playlist.",
	file_too_large: "Leave it where it is, make it smaller, or ask the operator for more.",
	duration_too_long: "Leave it where it is, cut it, or ask the operator for more.",
	dimensions_too_large: "List a smaller rendition of it.",
	invalid_media: "List another rendition of it: this file is damaged, or of a codec that isn't known.",
	no_video_stream: "Leave it out: it has sound alone.",
	processing_timeout: again,
	retries_exhausted: again,
	queue_timeout: again,
	validation_error: "Mend in the list what the message names.",
	captions_not_put: "Mend the captions or leave them out, and run the command again: the video is here.",
	cancelled: again,
};

/** Returns what to do about a failure; that it may be tried again if nothing better is known. */
export const adviceFor = (code: string): string => byCode[code] ?? again;

/** Failures that every other video would meet as well. */
export const stopsAll = (code: string): boolean =>
	["unauthorized", "forbidden", "sandbox_not_allowed", "imports_unavailable", "storage_quota_exceeded"].includes(code);
