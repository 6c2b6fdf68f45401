import { isTerminal, type TranscriptStatus, type Video } from "@reelmill/contracts";
import { type PlatformLocation, publicAddress, publishedPrefix } from "../storage/index.ts";
import { isAdded, isCopied, type ShownRecord, shownFiles, type VideoRecord } from "./record.ts";

/** Returns the address of one of a video's finished files. */
export type FileUrl = (
	record: Pick<ShownRecord, "id" | "visibility" | "outputs" | "public_place">,
	path: string,
) => string;

/**
 * Creates the addresses of files. A public video's files are read at its bucket's own address, if it has one and once
 * all files are copied there. All other files are read on the delivery plane, which serves every file at any time.
 * Before the first edit, a file that was added later is not copied: the copies that viewers use stay as they are. An
 * address on the delivery plane of a file that was changed differs with each edit, so that no cache has it. `baseUrl` is
 * the address of the delivery plane, without a slash at its end.
 */
export const createFileUrl =
	({ baseUrl, locations }: { baseUrl: string; locations: readonly PlatformLocation[] }): FileUrl =>
	(record, path) => {
		const { outputs, visibility } = record;
		const publication =
			visibility === "public" && outputs !== null && isCopied(outputs, path)
				? (record.public_place?.publication ?? null)
				: null;
		const address = publication === null ? null : publicAddress(record.public_place, locations);
		const edit = outputs !== null && isAdded(outputs, path) ? outputs.edit : undefined;
		return publication === null || address === null
			? `${baseUrl}/videos/${record.id}/${path}${edit === undefined ? "" : `?v=${edit}`}`
			: `${address}/${publishedPrefix(record.id, publication)}${path}`;
	};

/** A video that ended in another state than `available` gets no transcript any more. */
const transcriptStatus = ({ state, transcript_status }: ShownRecord): TranscriptStatus =>
	transcript_status === "pending" && isTerminal(state) && state !== "available" ? "failed" : transcript_status;

/** PostgreSQL writes a time into JSON without the zeros at the end of its fraction. */
const timeOf = (time: Date | string): string =>
	typeof time === "string" ? `${time.slice(0, 23)}${".000".slice(time.length - 19)}Z` : time.toISOString();
const timeOrNull = (time: Date | string | null): string | null => (time === null ? null : timeOf(time));

/** Returns the video object as API and webhooks show it. */
export const viewVideo = (record: VideoRecord, fileUrl: FileUrl): Video =>
	viewShown({ ...record, files: Object.keys(record.outputs?.files ?? {}) }, fileUrl);

/** Does the same of what was read for it alone. */
export function viewShown(record: ShownRecord, fileUrl: FileUrl): Video {
	const url = (path: string) => (record.files.includes(path) ? fileUrl(record, path) : null);
	return {
		id: record.id,
		state: record.state,
		progress: record.state === "available" ? 100 : Math.min(Math.max(record.progress, record.job?.progress ?? 0), 99),
		visibility: record.visibility,
		content_type: record.content_type,
		file_size: record.file_size,
		duration_seconds: record.duration_seconds === null ? null : Math.round(record.duration_seconds * 1000) / 1000,
		width: record.width,
		height: record.height,
		external_ref: record.external_ref,
		uploader_ref: record.uploader_ref,
		outro_id: record.outro_id,
		transcript_status: transcriptStatus(record),
		transcript_url: url(shownFiles.transcript_url),
		outputs: record.outputs && {
			hls_url: url(shownFiles.hls_url),
			dash_url: url(shownFiles.dash_url),
			mp4_url: url(shownFiles.mp4_url),
			thumbnail_url: url(shownFiles.thumbnail_url),
			poster_url: url(shownFiles.poster_url),
			storyboard_url: url(shownFiles.storyboard_url),
			chapters_url: url(shownFiles.chapters_url),
			web_mp4_outro_id: record.outputs.web_mp4_outro_id,
			renditions: [...record.outputs.renditions],
		},
		failure_reason: record.failure_reason,
		created_at: timeOf(record.created_at),
		updated_at: timeOf(record.updated_at),
		uploaded_at: timeOrNull(record.uploaded_at),
		available_at: timeOrNull(record.available_at),
		expires_at: record.state === "pending_upload" ? timeOf(record.expires_at) : null,
	};
}
