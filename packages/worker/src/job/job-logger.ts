import type { Job } from "@reelmill/contracts";
import type { Logger } from "@reelmill/media";

/** Returns what each line of the log says of a job. A server of an earlier version tells less of it. */
const namesOf = ({ id, kind, attempt, video_id, domain_id, request_id }: Job) => ({
	...(request_id !== undefined && { request_id }),
	job: id,
	kind,
	attempt,
	...(video_id !== undefined && { videoId: video_id }),
	...(domain_id !== undefined && { domainId: domain_id }),
});

/** Returns a logger whose lines name the job. */
export function jobLogger(logger: Logger, job: Job): Logger {
	const names = namesOf(job);
	return {
		debug: (fields, message) => logger.debug({ ...names, ...fields }, message),
		info: (fields, message) => logger.info({ ...names, ...fields }, message),
		warn: (fields, message) => logger.warn({ ...names, ...fields }, message),
		error: (fields, message) => logger.error({ ...names, ...fields }, message),
	};
}
