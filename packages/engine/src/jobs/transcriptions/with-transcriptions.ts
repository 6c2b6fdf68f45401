import { isReelmillError } from "@reelmill/contracts";
import type { Parts } from "../../system/index.ts";
import type { Jobs } from "../job-operations.ts";
import { mostEntriesOfTranscript } from "../outputs/most-entries.ts";
import { presignOutputs } from "../outputs/output-urls.ts";
import type { TranscriptionJobs } from "./transcription-jobs.ts";

/**
 * Adds transcripts of available videos to the jobs. A worker calls the same functions, with the video's id, as while
 * the video itself is processed.
 */
export function withTranscriptions(
	{ clock }: Parts,
	jobs: Jobs,
	{ transcriptions }: { transcriptions: TranscriptionJobs },
): Jobs {
	/** Tries a video on which no worker works as one whose transcript is being made. */
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
		async source(id, path) {
			try {
				return await jobs.source(id, path);
			} catch (error) {
				if (path !== undefined || !isReelmillError(error, "file_not_found")) throw error;
				// If there is no transcription, the upload is what is missing.
				return transcriptions.source(id).catch((failure: unknown) => {
					throw isReelmillError(failure, "invalid_video_state") ? error : failure;
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
				async () => ({ id, state: await transcriptions.fail(id, request) }),
			),
	};
}
