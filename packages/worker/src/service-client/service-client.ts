import type { BucketFetches } from "./bucket.ts";
import { createFileTransfers, type FileTransfers } from "./files.ts";
import { createJobCalls, type JobCalls } from "./jobs.ts";
import { createSession, type SessionOptions } from "./session.ts";

export type ServiceClientOptions = SessionOptions & BucketFetches;

/**
 * A client of the service's internal plane, for one worker. Each method makes one request, with the worker's token, and
 * doesn't retry it. Each rejects with a `ReelmillError` or a `ConnectionError`, or with the signal's reason.
 */
export type ServiceClient = JobCalls &
	FileTransfers & {
		/** Returns how many milliseconds from now a moment of the server's clock is; negative if it has passed. */
		until(moment: string): number;
	};

/** Creates a client. It opens nothing until the first call. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
	const session = createSession(options);
	return { ...createJobCalls(session), ...createFileTransfers(session, options), until: session.clock.until };
}
