/** Which body a fault is about: the client's, on its way to the server, or the server's answer. */
export type Direction = "request" | "answer";

/**
 * What happens to a request.
 *
 * A fault `afterBytes` of a body first lets exactly that many bytes pass. A body that isn't longer passes whole, as if
 * there were no fault. But 0 strikes every request, even one without a body: with 0 of a request the server hears
 * nothing of it, with 0 of an answer the client gets only the head.
 */
export type Fault =
	/**
	 * No fault: the request passes, and counts as struck once its answer has passed, too. For tests that wait for a
	 * request by `hit()`.
	 */
	| { readonly kind: "pass" }
	/**
	 * Answers with this status; the server hears nothing. `code` is the code in the body, an S3 error document. `headers`
	 * stand over the answer's own.
	 */
	| {
			readonly kind: "refuse";
			readonly status: number;
			readonly code?: string;
			readonly headers?: Readonly<Record<string, string>>;
	  }
	/** The server does everything. Its answer is replaced by one of this status. */
	| { readonly kind: "refuse-after"; readonly status: number; readonly code?: string }
	/** The server does everything. The client's connection is cut instead of the answer. */
	| { readonly kind: "lose-answer" }
	/** Cuts the connection on both sides. */
	| { readonly kind: "cut"; readonly direction: Direction; readonly afterBytes: number }
	/** Keeps the connection open and passes nothing more of the body until the rule's `release()`, then the rest. */
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

/** Returns the document by which S3 reports an error (Amazon S3 API Reference, "Error responses"). */
export function errorDocument(status: number, code = codes[status] ?? "InternalError"): string {
	return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Made by the fault proxy</Message><RequestId>fault</RequestId></Error>`;
}
