import { type ErrorCode, errors, ReelmillError } from "@reelmill/contracts/errors";
import { foreignMessage, type HeaderOf, type SentBody } from "./foreign-answer.ts";

/** The body of an error, as the service sends it. */
export type ErrorAnswer = {
	status: number;
	/** The body as text. It may be anything, such as the page of a proxy, or empty. */
	body: string;
	/** The value of the `x-request-id` header; `null` if the answer has none. */
	requestId?: string | null;
	/** The request that was answered, for the message of an answer that is not the service's. */
	request?: SentBody;
	/** Returns a header of the answer, for the same message. */
	headerOf?: HeaderOf;
};

/**
 * Makes an error from an answer: with its code, its extras, its status and its request id. A body without a known code
 * becomes `internal_error` with the status of the answer. A body without any code is a proxy's, a firewall's or a sign-in
 * page's, and the message says who answered, with what, and what to do. `rawCode` is the code as it was sent, known or
 * not, and undefined if there is none.
 * @example
 * ```ts
 * import { errorFromAnswer } from "@reelmill/client";
 *
 * const body = '{"error":"video_not_found","message":"There is no such video."}';
 * const { code, status } = errorFromAnswer({ status: 404, body });
 * console.log(code, status); // => video_not_found 404
 * ```
 */
export function errorFromAnswer({
	status,
	body,
	requestId,
	request,
	headerOf = () => null,
}: ErrorAnswer): ReelmillError {
	const { error: code, message, ...extras } = fields(body);
	const known = typeof code === "string" && Object.hasOwn(errors, code);
	return new ReelmillError(known ? (code as ErrorCode) : "internal_error", {
		status,
		message: typeof code === "string" ? messageOf(status, code, message) : foreignMessage(status, headerOf, request),
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

function messageOf(status: number, code: string, message: unknown): string {
	if (typeof message === "string") return message;
	if (Object.hasOwn(errors, code)) return errors[code as ErrorCode].message;
	return `The server answered ${status} with the code "${code}", which this version of the package does not know.`;
}
