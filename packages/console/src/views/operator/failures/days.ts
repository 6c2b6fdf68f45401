import type { CallResult } from "@reelmill/client";

type Failures = CallResult<"listFailures">;
const dayMilliseconds = 86_400_000;

/** The UTC day as many days before this moment: "2026-11-23". */
export const dayBefore = (now: number, days: number): string =>
	new Date(now - days * dayMilliseconds).toISOString().slice(0, 10);

/** One point a day, oldest first, those without a failure included; of one reason if it is given. */
export function pointsOf({ from, to, data }: Failures, reason: string | undefined) {
	const counts = new Map<string, number>();
	for (const { date, reason: of, count } of data)
		if (reason === undefined || of === reason) counts.set(date, (counts.get(date) ?? 0) + count);
	const points: { label: string; value: number }[] = [];
	for (let time = Date.parse(from); time <= Date.parse(to); time += dayMilliseconds) {
		const label = dayBefore(time, 0);
		points.push({ label, value: counts.get(label) ?? 0 });
	}
	return points;
}

/** How often each reason occurred, the most frequent first. */
export function reasonsOf({ data }: Failures): { reason: Failures["data"][number]["reason"]; count: number }[] {
	const counts = new Map<Failures["data"][number]["reason"], number>();
	for (const { reason, count } of data) counts.set(reason, (counts.get(reason) ?? 0) + count);
	return [...counts].map(([reason, count]) => ({ reason, count })).sort((one, other) => other.count - one.count);
}

/** What a reason means, and what an operator does about it. */
export const meanings: Readonly<Record<Failures["data"][number]["reason"], string>> = {
	processing_timeout: "Processing took longer than the limit. Look at the speed of the workers.",
	retries_exhausted: "Three attempts ended without a result. Look at the workers' logs.",
	queue_timeout: "No worker took it in time. Add workers, or see whether they can reach the server.",
	invalid_media: "The source can't be decoded. Its owner must upload another file.",
	no_video_stream: "The source has no picture. Its owner must upload another file.",
	duration_too_long: "The source is longer than the domain allows.",
	dimensions_too_large: "The source has more pixels than can be decoded safely.",
	source_missing: "The uploaded bytes are gone. Look at the storage.",
	storage_error: "The storage refused or lost the outputs. Look at System.",
};
