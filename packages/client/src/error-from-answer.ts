import { type ErrorCode, errors, ReelmillError } from "@reelmill/contracts/errors";

export type ErrorAnswer = {
	status: number;
	/**
	 * The body as text; anything that is not the service's error body (a proxy's page, nothing at all) is understood as
	 * such.
	 */
	body: string;
	requestId?: string | null;
};

/**
 * The error that an answer tells: its code, its extras, the status it came with and its request id.
 * A body without a code of the catalogue becomes `internal_error` with the status kept.
 */
export function errorFromAnswer({ status, body, requestId }: ErrorAnswer): ReelmillError {
	const { error: code, message, ...extras } = fields(body);
	const known = typeof code === "string" && Object.hasOwn(errors, code);
	return new ReelmillError(known ? (code as ErrorCode) : "internal_error", {
		status,
		message:
			typeof message === "string" ? message : known ? errors[code as ErrorCode].message : unknownMessage(status, code),
		extras: known ? (extras as never) : ({} as never),
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
