import { type ErrorCode, errors, ReelmillError } from "@reelmill/contracts/errors";
import type { DetailedError } from "tus-js-client";
import { ConnectionError } from "./connection-error.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { isTransient, secondsUntilRetry } from "./retry.ts";

/** What a failed tus request means: every byte has arrived after all, a retry can help, or the upload has failed. */
export type Verdict =
	| { outcome: "done" }
	| { outcome: "retry"; error: Error; afterSeconds?: number }
	| { outcome: "fail"; error: Error };

/**
 * Judges a failed request by the error code in its answer. `upload_not_pending` is a success if the service says with
 * it that every byte has arrived: then only its final answer was lost. That all bytes were sent is no proof: a failover
 * or a restore may have lost some of them.
 */
export function judge(failure: Error | DetailedError): Verdict {
	if (!("originalRequest" in failure)) return { outcome: "fail", error: failure };
	const response = failure.originalResponse;
	const request = `${failure.originalRequest.getMethod()} ${failure.originalRequest.getURL()}`;
	if (response === null) return withoutAnswer(failure.causingError, request);

	const status = response.getStatus();
	const error =
		failure.originalRequest.getMethod() === "HEAD"
			? errorOfStatus(status, response.getHeader("x-request-id"))
			: errorFromAnswer({ status, body: response.getBody(), requestId: response.getHeader("x-request-id") ?? null });
	if (status < 300)
		return {
			outcome: "fail",
			error: new ReelmillError("internal_error", {
				status,
				message: `${request} was answered without the tus headers. Does a proxy drop them, or CORS not expose them?`,
			}),
		};
	if (error.code === "upload_not_pending")
		return response.getHeader("upload-complete") === "?1" ? { outcome: "done" } : { outcome: "fail", error };
	const offsetMoved = status === 409 && error.code === "bad_request";
	const again =
		offsetMoved ||
		(error.code === "internal_error" || error.code === "bad_request"
			? isTransient(status)
			: errors[error.code].retryable);
	if (!again) return { outcome: "fail", error };
	const afterSeconds = secondsUntilRetry(
		response.getHeader("retry-after"),
		(error.extras as { retryAfter?: unknown }).retryAfter,
	);
	return { outcome: "retry", error, ...(afterSeconds === undefined ? {} : { afterSeconds }) };
}

/**
 * Makes an error from the status alone, because an answer to HEAD has no body. Each status has one code on this plane.
 */
function errorOfStatus(status: number, requestId: string | undefined): ReelmillError {
	const codes: Record<number, ErrorCode> = {
		401: "unauthorized",
		404: "not_found",
		409: "upload_not_pending",
		429: "rate_limited",
		503: "storage_unavailable",
	};
	const message = messages[status];
	return new ReelmillError(codes[status] ?? "internal_error", {
		status,
		...(message ? { message } : {}),
		...(requestId ? { requestId } : {}),
	});
}

const messages: Record<number, string> = {
	404: "The service has no such upload: its video is unknown, or nothing of it was stored.",
	409: "The upload is over, and not every byte of it arrived: it was cancelled, deleted or replaced, or its window closed.",
};

/** Tells a broken connection, which a retry can help, from a file that can no longer be read. */
function withoutAnswer(cause: unknown, request: string): Verdict {
	const systemError = typeof (cause as { code?: unknown } | null)?.code === "string";
	const browserEvent = typeof ProgressEvent !== "undefined" && cause instanceof ProgressEvent;
	if (!systemError && !browserEvent)
		return { outcome: "fail", error: cause instanceof Error ? cause : new Error(`${request} failed.`, { cause }) };
	return {
		outcome: "retry",
		error: new ConnectionError(
			"unreachable",
			`${request} got no answer: the server is not reachable or the connection broke.`,
			{ cause },
		),
	};
}
