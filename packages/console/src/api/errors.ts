import { ConnectionError, isReelmillError } from "@reelmill/client";

/** What a person needs of an error: what happened, what to do, and by which id the operator finds it in the log. */
export type Explained = {
	readonly what: string;
	readonly advice: string;
	readonly code: string | null;
	readonly requestId: string | null;
};

/** What to do, where it is not obvious from the message. A view gives its own where it knows better. */
const advice: Readonly<Record<string, string>> = {
	unauthorized: "Sign in again.",
	account_disabled: "Ask an admin of this installation to enable your account.",
	domain_not_found: "Choose another domain, or ask an admin for access to this one.",
	domain_not_selected: "Choose a domain in the side bar.",
	csrf_check_failed: "Reload the page, and try again.",
	rate_limited: "Wait a moment, and try again.",
	internal_error: "Try again. If it stays, give the request id to whoever runs this installation.",
	service_unavailable: "Try again in a moment.",
	invalid_state: "Reload to see the state it is in now.",
	invalid_cursor: "Go back to the first page.",
	validation_error: "Correct the value that is named, and try again.",
};

export function explain(error: unknown): Explained {
	if (isReelmillError(error)) {
		const { retryAfter } = error.extras as { retryAfter?: string };
		const wait = retryAfter === undefined ? undefined : `Try again after ${new Date(retryAfter).toLocaleTimeString()}.`;
		return {
			what: error.message,
			advice: wait ?? advice[error.code] ?? "",
			code: error.code,
			requestId: error.requestId ?? null,
		};
	}
	if (error instanceof ConnectionError)
		return {
			what: error.reason === "timeout" ? "The server took too long to answer." : "The server does not answer.",
			advice: "What you see may be old. The page tries again by itself.",
			code: null,
			requestId: null,
		};
	return { what: "Something in this page failed.", advice: "Reload it, and try again.", code: null, requestId: null };
}
