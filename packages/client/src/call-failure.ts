import { HTTPError, TimeoutError } from "ky";
import { ConnectionError } from "./connection-error.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { type CallFailure, secondsUntilRetry } from "./retry-policy.ts";

/** Returns what a call rejects with for an error of ky's. Any other error, such as an observer's, stays as it is. */
export function failureOf(error: Error, call: { readonly method: string; readonly url: string }): CallFailure {
	if (error instanceof TimeoutError)
		return {
			error: new ConnectionError("timeout", `${call.method} ${call.url} took too long to answer.`, { cause: error }),
		};
	if (!(error instanceof HTTPError)) return { error };
	const { status, headers, url } = error.response;
	const body = typeof error.data === "string" ? error.data : (JSON.stringify(error.data) ?? "");
	const refusal = errorFromAnswer({
		status,
		body,
		requestId: headers.get("x-request-id"),
		request: { method: call.method, url: url || call.url },
		headerOf: (name) => headers.get(name),
	});
	const { retryAfter } = refusal.extras as { retryAfter?: unknown };
	return { error: refusal, retryAfterSeconds: secondsUntilRetry(headers.get("retry-after"), retryAfter) };
}
