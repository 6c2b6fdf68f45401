import { ReelmillError, type Transcript } from "@reelmill/contracts";
import type { Domains } from "../domains/index.ts";
import type { Scope } from "../keys/index.ts";
import { createInTime, isWebVtt, readRecorded, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { type FileUrl, folderOf, type VideoStore, viewVideo } from "../videos/index.ts";
import type { TranscriptRequests } from "./requests.ts";
import { textOfWebVtt } from "./webvtt-text.ts";

const path = "transcript.vtt";

export type Transcripts = {
	/**
	 * The transcript as plain text, or why there is none. Throws `video_not_found`, `storage_backend_unsupported` where
	 * its storage gives no bytes, and `storage_unavailable` where they aren't the WebVTT file that was stored.
	 */
	get(scope: Scope, videoId: string): Promise<Transcript>;
	/**
	 * Has those of a domain's videos made that are `unavailable`, and answers how many these are. Done twice, or at once,
	 * each is made once. Throws `domain_not_found`.
	 */
	request(domainId: string): Promise<{ requested: number }>;
};

/** Many hours of speech are less. */
const largest = 2 * 1024 * 1024;

export function createTranscripts(
	{ clock }: Parts,
	{
		store,
		stores,
		fileUrl,
		domains,
		requests,
	}: {
		store: VideoStore;
		stores: Stores;
		fileUrl: FileUrl;
		domains: Pick<Domains, "get">;
		requests: TranscriptRequests;
	},
): Transcripts {
	const inTime = createInTime(clock);
	return {
		async request(domainId) {
			await domains.get(domainId);
			return { requested: await requests(domainId) };
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
