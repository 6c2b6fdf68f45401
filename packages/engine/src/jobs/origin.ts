import type { Job } from "@reelmill/contracts";

/** Where a job comes from: columns of its video. */
export type Origin = {
	readonly video_id: string;
	readonly domain_id: string;
	readonly traceparent: string | null;
	readonly request_id: string | null;
};

/** Returns what a job tells of its origin, for the logs and the trace of its worker. */
export const originOf = ({
	video_id,
	domain_id,
	traceparent,
	request_id,
}: Origin): Pick<Job, "video_id" | "domain_id" | "traceparent" | "request_id"> => ({
	video_id,
	domain_id,
	...(traceparent !== null && { traceparent }),
	...(request_id !== null && { request_id }),
});
