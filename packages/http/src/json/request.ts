/** A request for a JSON operation, from Fetch or from Node. */
export interface JsonRequest {
	/** The path's parameters, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	/** The Authorization header; `null` if there is none. */
	readonly authorization: string | null;
	/** What rate limits count a client without credentials by. */
	readonly clientKey: string;
	/** The client's address; `null` if there is none. */
	readonly clientAddress: string | null;
	readonly requestId: string;
	/** Whether the request announces a body, which may still be empty. */
	readonly hasBody: boolean;
	/** Returns the header of this name in lower case; `null` if there is none. */
	header(name: string): string | null;
	/**
	 * Yields the body as it arrives. Throws a BodyInterrupted when the whole body has not arrived within the idle time: a
	 * JSON body is small, and a client may send one without a credential.
	 */
	body(): AsyncIterable<Uint8Array>;
	/** Aborts when the client leaves. */
	readonly signal: AbortSignal;
}
