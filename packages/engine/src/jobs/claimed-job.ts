import type { Job } from "@reelmill/contracts";
import { jobLimits } from "../limits/index.ts";

/** What every claim selects: columns of the job, and of the video that it comes from. */
export type ClaimedRow = {
	readonly id: string;
	readonly lock: string;
	readonly lock_expires_at: Date;
	readonly attempt: number;
	readonly max_duration_seconds: number;
	readonly is_sandbox: boolean;
	readonly video_id: string;
	readonly domain_id: string;
	readonly traceparent: string | null;
	readonly request_id: string | null;
};

/** Returns what every job tells its worker: its lock, its limits, and for logs and traces where it comes from. */
export const claimedJob = ({
	id,
	lock,
	lock_expires_at,
	attempt,
	max_duration_seconds,
	is_sandbox,
	video_id,
	domain_id,
	traceparent,
	request_id,
}: ClaimedRow) =>
	({
		id,
		lock,
		lock_expires_at: lock_expires_at.toISOString(),
		attempt,
		limits: jobLimits(max_duration_seconds, is_sandbox),
		video_id,
		domain_id,
		...(traceparent !== null && { traceparent }),
		...(request_id !== null && { request_id }),
	}) satisfies Partial<Job>;
