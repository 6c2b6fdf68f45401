import { isReelmillError } from "@reelmill/contracts";
import type { Parts } from "../../system/index.ts";
import type { Jobs } from "../job-operations.ts";
import { presignOutputs } from "../outputs/output-urls.ts";
import type { LateJobs } from "./late-jobs.ts";

/** How a job of one kind is told from those before: the codes with which they refuse its id. */
type Told = {
	readonly ofWrites: "invalid_video_state" | "video_not_found";
	readonly ofSource: "file_not_found" | "video_not_found";
};

/** Transcripts have their video's id: nobody works on the video, and its source is gone. */
export const byVideo: Told = { ofWrites: "invalid_video_state", ofSource: "file_not_found" };
/** Other jobs have ids that are nobody else's. */
export const byOwnId: Told = { ofWrites: "video_not_found", ofSource: "video_not_found" };

/**
 * Adds jobs of one kind on available videos. A worker calls the same functions, with the job's id, as while a video itself
 * is processed. If there is no such job, the error is that of the jobs before.
 */
export function withLateJobs({ clock }: Parts, jobs: Jobs, late: LateJobs, { ofWrites, ofSource }: Told): Jobs {
	const otherwise =
		(code: Told["ofWrites" | "ofSource"]) =>
		async <T, O>(before: () => Promise<T>, ofLate: () => Promise<O>): Promise<T | O> => {
			try {
				return await before();
			} catch (error) {
				if (!isReelmillError(error, code)) throw error;
				return ofLate().catch((failure: unknown) => {
					throw isReelmillError(failure, "invalid_video_state") ? error : failure;
				});
			}
		};
	const orLate = otherwise(ofWrites);
	return {
		...jobs,
		heartbeat: (id, input) =>
			orLate(
				() => jobs.heartbeat(id, input),
				async () => ({ lock_expires_at: (await late.heartbeat(id, input.lock, input.progress)).toISOString() }),
			),
		source: (id, path) =>
			path === undefined
				? otherwise(ofSource)(
						() => jobs.source(id),
						() => late.source(id),
					)
				: jobs.source(id, path),
		mostEntries: (id, lock) =>
			orLate(
				() => jobs.mostEntries(id, lock),
				async () => {
					await late.place(id, lock);
					return late.mostEntries;
				},
			),
		replaceOutputs: (id, lock, entries, part) =>
			orLate(
				() => jobs.replaceOutputs(id, lock, entries, part),
				() => late.replaceOutputs(id, lock, entries),
			),
		outputUrls: (id, input, mostBytes) =>
			orLate(
				() => jobs.outputUrls(id, input, mostBytes),
				async () => {
					const { stored, prefix } = await late.place(id, input.lock);
					return presignOutputs(stored, { prefix, files: input.files, mostBytes, clock });
				},
			),
		complete: (id, request) =>
			orLate(
				() => jobs.complete(id, request),
				async () => {
					await late.complete(id, request);
					return { id, state: "done" as const };
				},
			),
		fail: (id, request) =>
			orLate(
				() => jobs.fail(id, request),
				async () => ({ id, state: await late.fail(id, request) }),
			),
	};
}
