/** Which body a fault is about: the client's, on its way to the server, or the server's answer. */
export type Direction = "request" | "answer";

/**
 * What happens to a request.
 *
 * A fault `afterBytes` of a body lets just so many bytes pass first; a body that isn't longer passes whole, as if there
 * were no fault. But 0 strikes every request, also one without a body: 0 of a request means that the server hears
 * nothing of it, 0 of an answer that the client gets the head alone.
 */
export type Fault =
	/**
	 * None: the request passes, and has struck once its answer has passed too. For tests that wait for one, by `hit()`.
	 */
	| { readonly kind: "pass" }
	/** Answers with this status; the server hears nothing. `code` is that of the S3 error document in the body. */
	| { readonly kind: "refuse"; readonly status: number; readonly code?: string }
	/** The server does it all, and its whole answer is thrown away for one of this status. */
	| { readonly kind: "refuse-after"; readonly status: number; readonly code?: string }
	/** The server does it all; the client's connection is cut instead of the answer. */
	| { readonly kind: "lose-answer" }
	/** Cuts the connection, on both sides. */
	| { readonly kind: "cut"; readonly direction: Direction; readonly afterBytes: number }
	/** Keeps the connection open and passes nothing more of the body until the rule's `release()`, then all the rest. */
	| { readonly kind: "hold"; readonly direction: Direction; readonly afterBytes: number }
	| { readonly kind: "slow"; readonly direction: Direction; readonly bytesPerSecond: number }
	| { readonly kind: "delay"; readonly milliseconds: number }
	/**
	 * Takes the request's head, reads nothing more and answers nothing, until the client gives up or the proxy closes.
	 * The server hears nothing.
	 */
	| { readonly kind: "silence" };

export type FaultKind = Fault["kind"];

const codes: Readonly<Record<number, string>> = {
	400: "InvalidRequest",
	403: "AccessDenied",
	404: "NoSuchKey",
	429: "TooManyRequests",
	500: "InternalError",
	503: "SlowDown",
};

/** The document in which S3 tells an error (Amazon S3 API Reference, "Error responses"). */
export function errorDocument(status: number, code = codes[status] ?? "InternalError"): string {
	return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Made by the fault proxy</Message><RequestId>fault</RequestId></Error>`;
}
