import { ReelmillError, type Transcript } from "@reelmill/contracts";
import type { Domains } from "../domains/index.ts";
import type { Scope } from "../keys/index.ts";
import { readable, type Stores } from "../storage/index.ts";
import { type FileUrl, folderOf, type VideoStore, viewVideo } from "../videos/index.ts";
import type { TranscriptRequests } from "./requests.ts";
import { textOfWebVtt } from "./webvtt-text.ts";

const path = "transcript.vtt";

export type Transcripts = {
	/** The transcript as plain text, or why there is none. Throws `video_not_found`, and `storage_backend_unsupported` where its storage gives no bytes. */
	get(scope: Scope, videoId: string): Promise<Transcript>;
	/** Has those of a domain's videos made that are `unavailable`, and answers how many these are. Done twice, or at once, each is made once. Throws `domain_not_found`. */
	request(domainId: string): Promise<{ requested: number }>;
};

export function createTranscripts({
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
}): Transcripts {
	return {
		async request(domainId) {
			await domains.get(domainId);
			return { requested: await requests(domainId) };
		},
		async get(scope, videoId) {
			const record = await store.find(videoId, scope);
			if (record === null) throw new ReelmillError("video_not_found");
			const { transcript_status: status, transcript_url } = viewVideo(record, fileUrl);
			const file =
				transcript_url === null
					? null
					: await readable((await stores.of(record.storage_profile_id)).outputs).get(`${record.outputs && folderOf(record.outputs, path)}${path}`);
			const parts: Uint8Array[] = [];
			for await (const part of file?.bytes ?? []) parts.push(part);
			const text = file === null ? null : textOfWebVtt(Buffer.concat(parts).toString("utf8"));
			return { video_id: record.id, status, text, language: record.language, transcript_url };
		},
	};
}
