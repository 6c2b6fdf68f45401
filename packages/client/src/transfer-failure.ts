import { type ErrorCode, errors, isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
import type { DetailedError, HttpRequest, HttpResponse } from "tus-js-client";
import { ConnectionError } from "./connection-error.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { type Obstacle, obstacleOf } from "./foreign-answer.ts";
import { isTransient, secondsUntilRetry } from "./retry-policy.ts";
import type { StackRequest } from "./way-to-service.ts";

/** What a failed request means: every byte has arrived after all, a retry can help, or the upload has failed. */
export type Verdict =
	| { outcome: "done" }
	| { outcome: "retry"; error: Error; afterSeconds?: number | undefined }
	| { outcome: "fail"; error: Error };

/**
 * Judges a failure of tus-js-client by the error code in the answer. `upload_not_pending` is a success if the service
 * says with it that every byte has arrived: then only its final answer was lost. That all bytes were sent is no proof: a
 * failover or a restore may have lost some of them. An answer that is not the service's, such as the page of a hotel's
 * network, says nothing about the upload: a retry can help.
 */
export function judge(failure: Error | DetailedError): Verdict {
	const error = errorOf(failure);
	if (error instanceof ConnectionError) return { outcome: "retry", error };
	const answer = answerOf(failure);
	if (!answer || !isReelmillError(error)) return { outcome: "fail", error };
	const status = answer.getStatus();
	if (status < 400) return { outcome: "retry", error };
	if (error.code === "upload_not_pending")
		return answer.getHeader("upload-complete") === "?1" ? { outcome: "done" } : { outcome: "fail", error };
	const offsetMoved = status === 409 && error.code === "bad_request";
	const obstacle = obstacleTo(failure);
	const again = obstacle
		? obstacle !== "size"
		: offsetMoved ||
			(error.code === "internal_error" || error.code === "bad_request"
				? isTransient(status)
				: errors[error.code].retryable);
	if (!again) return { outcome: "fail", error };
	const { retryAfter } = error.extras as { retryAfter?: unknown };
	return { outcome: "retry", error, afterSeconds: secondsUntilRetry(answer.getHeader("retry-after"), retryAfter) };
}

/** What answered in the service's place; undefined if no answer came, or the service's own. */
export function obstacleTo(failure: Error | DetailedError): Obstacle | undefined {
	const answer = answerOf(failure);
	if (!answer || isOurs(answer)) return undefined;
	return isReelmillError(errorOf(failure), "internal_error") ? obstacleOf(answer.getStatus()) : undefined;
}

/** The request that failed, as `httpStack` made it. */
export const requestOf = (failure: DetailedError): HttpRequest & StackRequest =>
	failure.originalRequest as HttpRequest & StackRequest;

/** Makes the error of a failed request: by its answer; without one it is what was thrown. */
export function errorOf(failure: Error | DetailedError): Error {
	if (!("originalRequest" in failure)) return failure;
	const { originalRequest: request, originalResponse: answer, causingError } = failure;
	if (!answer) return causingError instanceof Error ? causingError : failure;
	const status = answer.getStatus();
	const requestId = answer.getHeader("x-request-id") ?? null;
	if (status >= 400 && request.getMethod() === "HEAD" && isOurs(answer)) return errorOfStatus(answer, requestId);
	const { url, responseURL } = answer.getUnderlyingObject() as { url?: string; responseURL?: string };
	return errorFromAnswer({
		status,
		body: status < 400 ? "" : answer.getBody(),
		requestId,
		request: {
			method: request.getMethod(),
			url: url || responseURL || request.getURL(),
			bytes: requestOf(failure).bytes,
		},
		headerOf: (name) => answer.getHeader(name),
	});
}

const answerOf = (failure: Error | DetailedError): HttpResponse | null =>
	"originalResponse" in failure ? failure.originalResponse : null;

const isOurs = (answer: HttpResponse): boolean => (answer.getHeader("tus-resumable") ?? null) !== null;

/**
 * Makes an error from the status and headers, because an answer to HEAD has no body. Each status has one code on this
 * plane.
 */
function errorOfStatus(answer: HttpResponse, requestId: string | null): ReelmillError {
	const codes: Record<number, ErrorCode> = {
		401: "unauthorized",
		404: "not_found",
		409: "upload_not_pending",
		429: "rate_limited",
		503: "storage_unavailable",
	};
	const status = answer.getStatus();
	const message = messages[status];
	const end = status === 409 ? answer.getHeader("upload-end") : null;
	const extras = { upload_complete: answer.getHeader("upload-complete") === "?1", upload_end: end };
	return new ReelmillError(codes[status] ?? "internal_error", {
		status,
		...(message ? { message } : {}),
		...(end ? { extras: extras as never } : {}),
		...(requestId ? { requestId } : {}),
	});
}

const messages: Record<number, string> = {
	404: "The service has no such upload: its video is unknown, or nothing of it was stored.",
	409: "The upload is over, and not every byte of it arrived: it was cancelled, deleted or replaced, or its window closed.",
};
