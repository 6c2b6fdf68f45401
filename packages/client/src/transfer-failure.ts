import { type ErrorCode, errors, ReelmillError } from "@reelmill/contracts/errors";
import { ConnectionError } from "./connection-error.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { isTransient, secondsUntilRetry } from "./retry-policy.ts";
import type { TransferAnswer } from "./transfer-request.ts";

/** An answer that was not the success that was hoped for. */
export class Refusal extends Error {
	readonly answer: TransferAnswer;
	constructor(answer: TransferAnswer) {
		super(answer.request);
		this.answer = answer;
	}
}

/** What a failed request means: every byte has arrived after all, a retry can help, or the upload has failed. */
export type Verdict =
	| { outcome: "done" }
	| { outcome: "retry"; error: Error; afterSeconds?: number }
	| { outcome: "fail"; error: Error };

/**
 * Judges a failed request by the error code in its answer. `upload_not_pending` is a success if the service says with
 * it that every byte has arrived: then only its final answer was lost. That all bytes were sent is no proof: a failover
 * or a restore may have lost some of them. An answer that is not the service's, such as the page of a hotel's network,
 * says nothing about the upload: a retry can help.
 */
export function judge(failure: unknown): Verdict {
	if (failure instanceof ConnectionError) return { outcome: "retry", error: failure };
	if (!(failure instanceof Refusal))
		return { outcome: "fail", error: failure instanceof Error ? failure : new Error(String(failure)) };
	const { answer } = failure;
	const { status } = answer;
	const error = errorOf(answer);
	if (status < 400) return { outcome: "retry", error };
	if (error.code === "upload_not_pending")
		return answer.header("upload-complete") === "?1" ? { outcome: "done" } : { outcome: "fail", error };
	const isForeign = answer.header("tus-resumable") === null && error.code === "internal_error";
	const offsetMoved = status === 409 && error.code === "bad_request";
	const again =
		offsetMoved ||
		(isForeign && status !== 413) ||
		(error.code === "internal_error" || error.code === "bad_request"
			? isTransient(status)
			: errors[error.code].retryable);
	if (!again) return { outcome: "fail", error };
	const afterSeconds = secondsUntilRetry(
		answer.header("retry-after"),
		(error.extras as { retryAfter?: unknown }).retryAfter,
	);
	return { outcome: "retry", error, ...(afterSeconds === undefined ? {} : { afterSeconds }) };
}

/** Makes the error of an answer that was no success. */
export function errorOf({ request, isHead, status, header, body }: TransferAnswer): ReelmillError {
	const requestId = header("x-request-id");
	if (status < 400)
		return new ReelmillError("internal_error", {
			status,
			message: `${request} was answered without the tus headers. Does a network's sign-in page answer, a proxy drop them, or CORS not expose them?`,
		});
	const isOurs = header("tus-resumable") !== null;
	return isHead && (isOurs || isTransient(status))
		? errorOfStatus(status, header, requestId)
		: errorFromAnswer({ status, body, requestId });
}

/**
 * Makes an error from the status and headers, because an answer to HEAD has no body. Each status has one code on this
 * plane.
 */
function errorOfStatus(status: number, header: TransferAnswer["header"], requestId: string | null): ReelmillError {
	const codes: Record<number, ErrorCode> = {
		401: "unauthorized",
		404: "not_found",
		409: "upload_not_pending",
		429: "rate_limited",
		503: "storage_unavailable",
	};
	const message = messages[status];
	const end = status === 409 ? header("upload-end") : null;
	return new ReelmillError(codes[status] ?? "internal_error", {
		status,
		...(message ? { message } : {}),
		...(end ? { extras: { upload_complete: header("upload-complete") === "?1", upload_end: end } as never } : {}),
		...(requestId ? { requestId } : {}),
	});
}

const messages: Record<number, string> = {
	404: "The service has no such upload: its video is unknown, or nothing of it was stored.",
	409: "The upload is over, and not every byte of it arrived: it was cancelled, deleted or replaced, or its window closed.",
};
