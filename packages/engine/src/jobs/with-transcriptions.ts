import { isReelmillError } from "@reelmill/contracts";
import type { Clock } from "../ports/index.ts";
import type { Jobs } from "./jobs.ts";
import { mostEntriesOfTranscript } from "./most-entries.ts";
import { presignOutputs } from "./output-urls.ts";
import type { HeldTranscriptions } from "./transcriptions.ts";

/**
 * The same jobs, and transcripts of videos that are available already: by the video's id a worker does what it would
 * while the video itself is processed.
 */
export function withTranscriptions(
	jobs: Jobs,
	{ transcriptions, clock }: { transcriptions: HeldTranscriptions; clock: Clock },
): Jobs {
	/** A video on which no worker is at work may have a transcript made. */
	const orTranscription = async <T, O>(
		ofVideo: () => Promise<T>,
		ofTranscription: () => Promise<O>,
	): Promise<T | O> => {
		try {
			return await ofVideo();
		} catch (error) {
			if (!isReelmillError(error, "invalid_video_state")) throw error;
			return ofTranscription();
		}
	};
	return {
		...jobs,
		heartbeat: (id, input) =>
			orTranscription(
				() => jobs.heartbeat(id, input),
				async () => ({
					lock_expires_at: (await transcriptions.heartbeat(id, input.lock, input.progress)).toISOString(),
				}),
			),
		async source(id) {
			try {
				return await jobs.source(id);
			} catch (error) {
				if (!isReelmillError(error, "file_not_found")) throw error;
				// Without a transcription, what is missing is the upload.
				return transcriptions.source(id).catch((other: unknown) => {
					throw isReelmillError(other, "invalid_video_state") ? error : other;
				});
			}
		},
		mostEntries: (id, lock) =>
			orTranscription(
				() => jobs.mostEntries(id, lock),
				async () => {
					await transcriptions.place(id, lock);
					return mostEntriesOfTranscript;
				},
			),
		replaceOutputs: (id, lock, entries, part) =>
			orTranscription(
				() => jobs.replaceOutputs(id, lock, entries, part),
				() => transcriptions.replaceOutputs(id, lock, entries),
			),
		outputUrls: (id, input, mostBytes) =>
			orTranscription(
				() => jobs.outputUrls(id, input, mostBytes),
				async () => {
					const { stored, prefix } = await transcriptions.place(id, input.lock);
					return presignOutputs(stored, { prefix, files: input.files, mostBytes, clock });
				},
			),
		complete: (id, request) =>
			orTranscription(
				() => jobs.complete(id, request),
				async () => {
					await transcriptions.complete(id, request);
					return { id, state: "done" as const };
				},
			),
		fail: (id, request) =>
			orTranscription(
				() => jobs.fail(id, request),
				async () => ({ id, state: await transcriptions.fail(id, request.lock, request.retryable) }),
			),
	};
}
