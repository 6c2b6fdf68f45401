/** A request for a JSON operation, whatever brought it. */
export interface JsonRequest {
	/** The path's parameters, decoded. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	/** The Authorization header, or null. */
	readonly authorization: string | null;
	/** By what a client without credentials is counted. */
	readonly clientKey: string;
	/** Whether a body was announced; it may turn out to be empty. */
	readonly hasBody: boolean;
	header(name: "content-type" | "content-length"): string | null;
	/**
	 * The body as it comes. Throws a BodyInterrupted when it isn't whole within the idle time: it's small, and whoever
	 * sends it need show no credential.
	 */
	body(): AsyncIterable<Uint8Array>;
	/** Aborts when the client goes away. */
	readonly signal: AbortSignal;
}
