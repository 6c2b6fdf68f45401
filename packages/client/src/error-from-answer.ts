import { type ErrorCode, errors, ReelmillError } from "@reelmill/contracts/errors";

/** The body of an error, as the service sends it. */
export type ErrorAnswer = {
	status: number;
	/** The body as text. It may be anything, such as the page of a proxy, or empty. */
	body: string;
	/** The value of the `x-request-id` header; `null` if the answer has none. */
	requestId?: string | null;
};

/**
 * Makes an error from an answer: with its code, its extras, its status and its request id. A body without a known code
 * becomes `internal_error` with the status of the answer. `rawCode` is the code as it was sent, known or not, and
 * undefined if there is none.
 * @example
 * ```ts
 * import { errorFromAnswer } from "@reelmill/client";
 *
 * const body = '{"error":"video_not_found","message":"There is no such video."}';
 * const { code, status } = errorFromAnswer({ status: 404, body });
 * console.log(code, status); // => video_not_found 404
 * ```
 */
export function errorFromAnswer({ status, body, requestId }: ErrorAnswer): ReelmillError {
	const { error: code, message, ...extras } = fields(body);
	const known = typeof code === "string" && Object.hasOwn(errors, code);
	return new ReelmillError(known ? (code as ErrorCode) : "internal_error", {
		status,
		message:
			typeof message === "string" ? message : known ? errors[code as ErrorCode].message : unknownMessage(status, code),
		rawCode: typeof code === "string" ? code : undefined,
		extras: extras as never,
		...(requestId ? { requestId } : {}),
	});
}

function fields(body: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(body);
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}

const unknownMessage = (status: number, code: unknown): string =>
	typeof code === "string"
		? `The server answered ${status} with the code "${code}", which this version of the package does not know.`
		: `The server answered ${status} without an error code. Does the base URL lead to Reelmill, and not only to a proxy before it?`;
