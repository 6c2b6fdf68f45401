/** What can be sent: a Blob or File, or a stream, Node's or the web's. In Node, `fs.openAsBlob` makes a Blob of a file. */
export type TransferSource = Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** The part of `upload` in the answer of `createVideo` that a transfer needs. */
export type TransferTicket = { endpoint: string; token: string; metadata: { video_id: string } };

/** What `transfer` needs: the ticket, the bytes, and how patient it is. */
export type TransferOptions = {
	/**
	 * A Blob or File, or a stream. A stream can't be read again: a retry can go back no further than to the beginning of
	 * the current chunk.
	 */
	source: TransferSource;
	/** The size in bytes, exactly the declared `file_size`. */
	size: number;
	/** The upload ticket that the service gave for this file. */
	ticket: TransferTicket;
	/**
	 * The upload's own address, as `onCreated` told it: the transfer continues at the offset that the service holds.
	 * Without it the transfer creates the upload.
	 */
	uploadUrl?: string | undefined;
	/** Bytes of one request (default: 16777216). They become fewer, down to 262144, where a proxy refuses so many. */
	chunkSize?: number | undefined;
	/** How many consecutive attempts may fail without progress before the upload gives up (default: 12, about 90 s). */
	retries?: number | undefined;
	/** Seconds before the first retry (default: 0.5). The wait doubles for each further one, up to 10 s. */
	backoffSeconds?: number | undefined;
	/** After how many seconds without a moved byte a request is ended and tried again (default: 60). */
	stallSeconds?: number | undefined;
	/**
	 * Awaited each time before the last bytes of a Blob are sent. If it rejects, the transfer fails with its reason, and
	 * the upload stays without these bytes.
	 */
	beforeLast?: (() => Promise<void>) | undefined;
	/** Stops the transfer. The service keeps the acknowledged bytes; a transfer with `uploadUrl` continues there. */
	signal?: AbortSignal | undefined;
	/** Called with the upload's own address once it is known. */
	onCreated?: ((uploadUrl: string) => void) | undefined;
	/** Called with the number of acknowledged bytes. It falls if a failover or a restore lost some of them. */
	onAcknowledged?: ((bytes: number) => void) | undefined;
	/** Called with the number of bytes that were sent, acknowledged or not. It falls if some of them were lost. */
	onProgress?: ((bytes: number) => void) | undefined;
	/** Called before each wait for a retry, with the error and the seconds to wait. */
	onRetry?: ((retry: { error: Error; seconds: number }) => void) | undefined;
};
