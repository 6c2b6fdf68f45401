/** What an endpoint answered. It is the endpoint's own text, or bytes: never trust it. */
export type WebhookAnswer = {
	/** In the order in which they came; a name may come more than once. */
	readonly headers: readonly (readonly [name: string, value: string])[];
	/** The first bytes of the body, at most 2048. */
	readonly body: Uint8Array;
	/** Whether the body had more bytes, or broke off. */
	readonly isTruncated: boolean;
};

/** The request that carries an event. */
export type WebhookRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** They are sent as they are; the signature is over these bytes. */
	readonly body: Uint8Array;
	/**
	 * Called at most once, before `send` resolves, with what was answered, whatever the status. It isn't called if no
	 * answer came. A transport that can't tell leaves it out: then the log shows no answers.
	 */
	readonly onAnswer?: (answer: WebhookAnswer) => void;
};

/**
 * The outcome of one attempt. `error` is null exactly when `status` is from 200 to 299; otherwise it is one word of the
 * list or a short sentence.
 */
export type WebhookResult = {
	readonly status: number | null;
	readonly error:
		| null
		| "blocked_address"
		| "timeout"
		| "redirect"
		| "name_not_found"
		| "connection_refused"
		| "connection_reset"
		| "connection_failed"
		| "invalid_url"
		| `status_${number}`
		| (string & {});
};

/** Sends attempts of deliveries to addresses that tenants gave. */
export interface WebhookTransport {
	/**
	 * POSTs the exact bytes. It never rejects: every failure is a result.
	 *
	 * Private, loopback, link-local and metadata addresses are refused (`blocked_address`) unless the operator allowed
	 * them, on every connection anew; the address that was checked is the one connected to. Redirects are never followed.
	 * An attempt takes at most 10 s and reads at most 64 KiB of the answer. While 256 attempts run at once, those that
	 * hang hold up no other, not even one to the same server.
	 */
	send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResult>;
	/**
	 * Resolves once the URL's name is known, so that `send` need not wait for it, or once it can't be known now; within 5
	 * s in any case. It never rejects. It needs no connection and nothing else that attempts share, so names that hang
	 * hold up nobody. Optional: for transports whose names take time.
	 */
	prepare?(url: string): Promise<void>;
	/**
	 * Returns `null` if `url` may be stored, otherwise why not: it must be http or https, with a name, or with an address
	 * that isn't blocked as it stands. A name isn't resolved.
	 */
	refusal(url: string): string | null;
	/** Closes open connections. */
	close(): Promise<void>;
}
