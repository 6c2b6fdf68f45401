import { isReelmillError } from "@reelmill/client";

/** The codes of a back end that a viewer is told about with words of their own. */
const reasons: Readonly<Record<string, string>> = {
	unauthorized: "locked",
	forbidden: "locked",
	not_found: "deleted",
	video_not_found: "deleted",
};

/** Says for what reason, as a player's error has it, the back end gave no video. */
export function reasonOf(error: unknown): string {
	if (isReelmillError(error)) return reasons[error.code] ?? "busy";
	return error instanceof Error && error.name === "ConnectionError" ? "offline" : "unknown";
}
