import type { CredentialHeaders } from "../admission/credentials.ts";

/** A request for a JSON operation, from Fetch or from Node. */
export interface JsonRequest extends CredentialHeaders {
	/** The path's parameters, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	/** What rate limits count a client without credentials by. */
	readonly clientKey: string;
	/** The client's address; `null` if there is none. */
	readonly clientAddress: string | null;
	readonly requestId: string;
	/** Whether the request announces a body, which may still be empty. */
	readonly hasBody: boolean;
	/**
	 * Yields the body as it arrives. Throws a BodyInterrupted when the whole body has not arrived within the idle time: a
	 * JSON body is small, and a client may send one without a credential.
	 */
	body(): AsyncIterable<Uint8Array>;
	/** Aborts when the client leaves. */
	readonly signal: AbortSignal;
}
