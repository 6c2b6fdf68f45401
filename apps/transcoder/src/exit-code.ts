import { constants } from "node:os";
import type { WorkerEnd } from "@reelmill/worker";

/**
 * Returns the exit code of a transcoder that was to end by itself: 69 and 71 as systemd's and BSD's sysexits name them,
 * and 128 and the signal's number if a signal stopped it during a job.
 */
export function exitCodeOf({ reason, gaveBack }: WorkerEnd, signal?: NodeJS.Signals): number {
	if (reason === "ill") return 71;
	if (reason === "unanswered") return 69;
	return gaveBack && signal !== undefined ? 128 + constants.signals[signal] : 0;
}
