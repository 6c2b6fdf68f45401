export type WebhookRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as they are; the signature is over these bytes. */
	readonly body: Uint8Array;
};

/**
 * What came of one attempt. `error` is null exactly when `status` is from 200 to 299; otherwise one word of the list or
 * a short sentence.
 */
export type WebhookResult = {
	readonly status: number | null;
	readonly error:
		| null
		| "blocked_address"
		| "timeout"
		| "redirect"
		| "connection_failed"
		| "invalid_url"
		| `status_${number}`
		| (string & {});
};

/** Sends one attempt of a delivery to an address that a tenant gave. */
export interface WebhookTransport {
	/**
	 * POSTs the exact bytes. It never rejects: every failure is a result. Private, loopback, link-local and metadata
	 * addresses are refused (`blocked_address`) unless the operator allowed them, on every connection anew; the address
	 * that was checked is the one connected to. Redirects are never followed. It takes at most 10 s, and reads at most 64
	 * KiB of the answer. Attempts that hang hold up no other, to the same server neither, while 256 run at once.
	 */
	send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResult>;
	/**
	 * Resolves once the URL's name is known, so that `send` needn't wait for it, or can't be known now, in any case
	 * within 5 s; never rejects. It needs neither a connection nor any other of the things that attempts share, so that
	 * names that hang hold up nobody. Absent where names take no time.
	 */
	prepare?(url: string): Promise<void>;
	/**
	 * Whether `url` is one that may be stored: http or https, a name or an address that isn't blocked as it stands. A
	 * name isn't resolved. Null, or why not.
	 */
	refusal(url: string): string | null;
	/** Ends open connections. */
	close(): Promise<void>;
}
