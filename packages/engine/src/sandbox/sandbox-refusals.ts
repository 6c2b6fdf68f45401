import type { ErrorCode } from "@reelmill/contracts";
import type { Parts } from "../system/index.ts";

const dayMilliseconds = 86_400_000;
const exhausted = new Map<ErrorCode, string>([
	[
		"upload_quota_exceeded",
		"daily quota, or the part of it that uploads may reserve before their first byte, is used up",
	],
	["storage_quota_exceeded", "storage is full"],
]);

/**
 * Logs that visitors are refused for what all sessions share, once per UTC day and reason. A few visitors can use it
 * up, so the operator should know.
 */
export function createSandboxRefusals({ clock, logger }: Parts): (fault: ErrorCode) => void {
	const told = new Map<ErrorCode, number>();
	return (fault) => {
		const what = exhausted.get(fault);
		const day = Math.floor(clock.now() / dayMilliseconds);
		if (what === undefined || told.get(fault) === day) return;
		told.set(fault, day);
		logger.warn({ fault }, `the sandbox's ${what}: visitors can't upload for now`);
	};
}
