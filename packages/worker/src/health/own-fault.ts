import type { WorkerFault } from "@reelmill/contracts";
import { machineFaultOf } from "@reelmill/media";
import { BucketUnreachableError, UnguardedError } from "../service-client/bucket.ts";

/** What is wrong with a worker itself, by what ended an attempt. */
export type OwnFault = {
	readonly code: WorkerFault;
	/** One sentence for the operator. */
	readonly message: string;
	/** The bucket that could not be reached, as an origin, if that is the fault. */
	readonly bucket?: string;
};

/**
 * Returns what is wrong with this worker, or `null` if the error may be the job's fault. This decides whose fault an
 * attempt's failure is.
 */
export function ownFaultOf(error: unknown): OwnFault | null {
	const message = error instanceof Error ? error.message : String(error);
	if (error instanceof BucketUnreachableError) return { code: "storage_unreachable", message, bucket: error.origin };
	if (error instanceof UnguardedError) return { code: "storage_unreachable", message };
	const code = machineFaultOf(error);
	return code === null ? null : { code, message };
}
