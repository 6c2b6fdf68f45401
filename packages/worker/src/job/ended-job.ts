import type { CompleteRequest, Job } from "@reelmill/contracts";

/**
 * How attempts end: done, failed by the source, given back for another attempt, or dropped because the lock was lost.
 */
export const jobOutcomes = ["completed", "failed", "given_back", "dropped"] as const;

/** An attempt at a job that has ended. */
export type EndedJob = {
	readonly kind: Job["kind"];
	readonly outcome: (typeof jobOutcomes)[number];
	/** From the claim to the end. */
	readonly seconds: number;
	/** Seconds of the video that were encoded in a second; `null` if this attempt encoded no whole video. */
	readonly encodeSpeed: number | null;
	/** The codes that the report of a completed video warns of; none of any other attempt. */
	readonly warnings: readonly string[];
};

/** Returns how many seconds of the video were encoded in a second of the step `encode`; `null` if there was none. */
export function encodeSpeedOf({ media, report }: Pick<CompleteRequest, "media" | "report">): number | null {
	const steps = (report?.steps ?? []) as { step: string; seconds: number }[];
	const seconds = steps.filter(({ step }) => step === "encode").reduce((sum, step) => sum + step.seconds, 0);
	return seconds > 0 ? media.duration_seconds / seconds : null;
}

/** Returns the codes that a report warns of. One of an earlier version of the worker warns of nothing. */
export function warningsOf({ report }: Pick<CompleteRequest, "report">): readonly string[] {
	return (report?.warnings ?? []) as string[];
}
