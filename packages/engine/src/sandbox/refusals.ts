import type { ErrorCode } from "@reelmill/contracts";
import type { Parts } from "../system/index.ts";

const dayMilliseconds = 86_400_000;

/**
 * Says in the log, once a UTC day for each of the two, that visitors are refused for what all sessions share: a few of
 * them can use it up.
 */
export function createSandboxRefusals({ clock, logger }: Parts): (fault: ErrorCode) => void {
	const told = new Map<ErrorCode, number>();
	return (fault) => {
		const what = { upload_quota_exceeded: "daily quota is used up", storage_quota_exceeded: "storage is full" }[
			fault as string
		];
		const day = Math.floor(clock.now() / dayMilliseconds);
		if (what === undefined || told.get(fault) === day) return;
		told.set(fault, day);
		logger.warn({ fault }, `the sandbox's ${what}: visitors can't upload for now`);
	};
}
