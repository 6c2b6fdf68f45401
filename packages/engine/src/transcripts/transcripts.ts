import { ReelmillError, type Transcript } from "@reelmill/contracts";
import { type Actor, engineActor } from "../audit/index.ts";
import type { Domains } from "../domains/index.ts";
import type { Scope } from "../keys/index.ts";
import { createInTime, isWebVtt, readRecorded, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { type FileUrl, folderOf, type VideoStore, viewVideo } from "../videos/index.ts";
import { createTranscriptRequests } from "./transcript-requests.ts";
import { textOfWebVtt } from "./webvtt-text.ts";

const path = "transcript.vtt";

export type Transcripts = {
	/**
	 * Returns the transcript as plain text, or the status that says why there is none.
	 *
	 * @throws {ReelmillError} `video_not_found`; `storage_backend_unsupported` when its storage gives no bytes;
	 * `storage_unavailable` when the bytes aren't the WebVTT file that was stored.
	 */
	get(scope: Scope, videoId: string): Promise<Transcript>;
	/**
	 * Requests the transcripts of a domain's videos that are `unavailable`, and returns how many these are. If it is
	 * called twice, or many times at once, each transcript is requested once.
	 *
	 * @throws {ReelmillError} `domain_not_found`.
	 */
	request(domainId: string, by?: Actor): Promise<{ requested: number }>;
};

/** In bytes. Many hours of speech need less. */
const largest = 2 * 1024 * 1024;

export function createTranscripts(
	parts: Parts,
	{
		store,
		stores,
		fileUrl,
		domains,
		onRequested,
	}: {
		store: VideoStore;
		stores: Stores;
		fileUrl: FileUrl;
		domains: Pick<Domains, "get">;
		/** Called when transcripts wait for a worker. */
		onRequested: () => void;
	},
): Transcripts {
	const inTime = createInTime(parts.clock);
	const requestAll = createTranscriptRequests(parts, { onRequested });
	return {
		async request(domainId, by = engineActor) {
			const { slug } = await domains.get(domainId);
			return { requested: await requestAll({ id: domainId, slug }, by) };
		},
		async get(scope, videoId) {
			const record = await store.find(videoId, scope);
			if (record === null) throw new ReelmillError("video_not_found");
			const { outputs, language } = record;
			const { transcript_status: status, transcript_url } = viewVideo(record, fileUrl);
			const size = outputs !== null && Object.hasOwn(outputs.files, path) ? outputs.files[path] : undefined;
			const file = outputs !== null &&
				size !== undefined && { key: `${folderOf(outputs, path)}${path}`, size, largest, isOfType: isWebVtt };
			const bytes = file && (await readRecorded((await stores.of(record.storage_profile_id)).outputs, file, inTime));
			const text = bytes ? await textOfWebVtt(Buffer.from(bytes.buffer).toString("utf8")) : null;
			return { video_id: record.id, status, text, language, transcript_url };
		},
	};
}
