import { isReelmillError } from "@reelmill/contracts/errors";
import { Upload } from "tus-js-client";
import { ConnectionError } from "./connection-error.ts";
import { backoffSeconds } from "./retry.ts";
import { judge } from "./transfer-failure.ts";
import { assertReadable, readerFor, type TransferSource } from "./transfer-source.ts";
import { waitToRetry } from "./wait-to-retry.ts";

export type { TransferSource } from "./transfer-source.ts";

/** The part of `upload` in the answer of `createVideo` that a transfer needs. */
export type TransferTicket = { endpoint: string; token: string; metadata: { video_id: string } };

export type TransferOptions = {
	/**
	 * A Blob or File, or in Node a readable stream. A stream can't be read again: a retry can go back no further than to
	 * the beginning of the current chunk.
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
	/** Bytes of one request (default: 16777216). */
	chunkSize?: number | undefined;
	/** How many consecutive attempts may fail without progress before the upload gives up (default: 12, about 90 s). */
	retries?: number | undefined;
	/** Seconds before the first retry (default: 0.5). The wait doubles for each further one, up to 10 s. */
	backoffSeconds?: number | undefined;
	/** After how many seconds without a moved byte a request is ended and tried again (default: 60). */
	stallSeconds?: number | undefined;
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

/**
 * Sends a file over tus. Resolves when the service says that it has every byte: that every byte was sent is not enough.
 * After a failure it asks for the offset and continues there, even if the offset fell. If the service has lost the
 * upload, a Blob is uploaded once more from the beginning.
 * @throws {ReelmillError} when the answer is final, such as `unauthorized`, `video_not_found`, or `upload_not_pending`
 * without every byte
 * @throws {ConnectionError} when the service could not be reached in any of the retries
 * @throws the signal's reason when the transfer was aborted; the platform's error when the source can't be read
 * @example
 * ```ts
 * import { createClient } from "@reelmill/client";
 * import { transfer } from "@reelmill/client/transfer";
 *
 * const client = createClient({ baseUrl: "https://video.example.com", credential: "ek_your_domain_key" });
 * const source = new Blob(["the bytes of a video"]);
 * const { upload } = await client.call("createVideo", {
 * 	body: { content_type: "video/mp4", file_size: source.size },
 * });
 *
 * let acknowledged = 0;
 * await transfer({
 * 	source,
 * 	size: source.size,
 * 	ticket: upload,
 * 	onAcknowledged: (bytes) => {
 * 		acknowledged = bytes;
 * 	},
 * });
 * console.log(acknowledged); // => 20
 * ```
 */
export async function transfer(options: TransferOptions): Promise<void> {
	const { signal, retries = 12 } = options;
	const course: Course = { acknowledged: -1, furthest: -1, moved: () => {} };
	let upload = tusUpload(options, course);
	let createdAgain = false;
	for (let failures = 0; ; ) {
		const before = course.furthest;
		const failure = await attempt(upload, course, options);
		if (failure === undefined) return;
		const verdict =
			failure instanceof ConnectionError ? ({ outcome: "retry", error: failure } as const) : judge(failure);
		if (verdict.outcome === "done") return;
		if (verdict.outcome === "fail") {
			if (!(options.source instanceof Blob))
				throw course.acknowledged < course.furthest ? wentBack(course, verdict.error) : verdict.error;
			if (createdAgain || !isReelmillError(verdict.error, "not_found")) throw verdict.error;
			createdAgain = true;
			upload = tusUpload({ ...options, uploadUrl: undefined }, course);
			continue;
		}
		await assertReadable(options.source, Math.max(0, course.acknowledged));
		// Bytes that are sent again are no progress: otherwise a server that loses them each time would get them for ever.
		failures = course.furthest > before ? 1 : failures + 1;
		if (failures > retries) throw verdict.error;
		const seconds = Math.max(
			("afterSeconds" in verdict && verdict.afterSeconds) || 0,
			backoffSeconds(failures, options.backoffSeconds ?? 0.5),
		);
		options.onRetry?.({ error: verdict.error, seconds });
		await waitToRetry(seconds, signal);
	}
}

/**
 * Ends an upload for ever: the service deletes its bytes and cancels the video.
 * @throws the error of tus-js-client when the service refuses or can't be reached; the upload then expires by itself
 * @example
 * ```ts
 * import { createClient } from "@reelmill/client";
 * import { terminateTransfer, transfer } from "@reelmill/client/transfer";
 *
 * const client = createClient({ baseUrl: "https://video.example.com", credential: "ek_your_domain_key" });
 * const source = new Blob(["the bytes of a video"]);
 * const { video, upload } = await client.call("createVideo", {
 * 	body: { content_type: "video/mp4", file_size: source.size },
 * });
 *
 * const stop = new AbortController();
 * const onCreated = async (uploadUrl: string) => {
 * 	stop.abort();
 * 	await terminateTransfer(uploadUrl, upload.token);
 * 	const { state } = await client.call("getVideo", { params: { id: video.id } });
 * 	console.log(state); // => cancelled
 * };
 * await transfer({ source, size: source.size, ticket: upload, signal: stop.signal, onCreated }).catch(() => {});
 * ```
 */
export async function terminateTransfer(uploadUrl: string, token: string): Promise<void> {
	await Upload.terminate(uploadUrl, { headers: { authorization: `Bearer ${token}` }, retryDelays: null });
}

const wentBack = ({ acknowledged, furthest }: Course, cause: Error): Error =>
	new Error(
		`The service holds ${acknowledged} of the ${furthest} bytes that it had acknowledged, and a stream can't go back: send the file again.`,
		{ cause },
	);

type Course = {
	/** The last offset that the service told; -1 before the first. */
	acknowledged: number;
	/** The highest offset that it ever told; -1 before the first. */
	furthest: number;
	/** Called when something has moved, so that the transfer has not stalled. */
	moved: () => void;
};

function tusUpload(options: TransferOptions, course: Course): Upload {
	const { source, size, ticket, uploadUrl, chunkSize = 16 * 1024 * 1024, signal } = options;
	const upload = new Upload(source as Blob, {
		...(uploadUrl === undefined ? { endpoint: ticket.endpoint } : { uploadUrl }),
		...readerFor(source),
		uploadSize: size,
		chunkSize,
		metadata: { video_id: ticket.metadata.video_id },
		headers: { authorization: `Bearer ${ticket.token}` },
		retryDelays: null,
		storeFingerprintForResuming: false,
		fingerprint: async () => "",
		onUploadUrlAvailable() {
			// If it has an endpoint, tus-js-client creates the upload again after a failed HEAD and begins at byte 0.
			upload.options.endpoint = null;
			if (upload.url !== null) options.onCreated?.(upload.url);
		},
		onBeforeRequest() {
			// tus-js-client forgets an abort that comes while it prepares a request.
			signal?.throwIfAborted();
			course.moved();
		},
		onAfterResponse(_, response) {
			course.moved();
			const offset = Number(
				response.getStatus() < 300 ? (response.getHeader("Upload-Offset") ?? Number.NaN) : Number.NaN,
			);
			if (Number.isNaN(offset) || offset === course.acknowledged) return;
			course.acknowledged = offset;
			course.furthest = Math.max(course.furthest, offset);
			options.onAcknowledged?.(offset);
		},
		onProgress(bytes) {
			course.moved();
			options.onProgress?.(bytes);
		},
	});
	return upload;
}

/** Runs tus-js-client until it ends. Returns its first failure or stall; undefined if it has sent everything. */
async function attempt(
	upload: Upload,
	course: Course,
	{ signal, stallSeconds = 60 }: TransferOptions,
): Promise<Error | undefined> {
	signal?.throwIfAborted();
	let stalled: ReturnType<typeof setTimeout> | undefined;
	let aborted = () => {};
	try {
		return await new Promise<Error | undefined>((resolve, reject) => {
			const stop = (settle: () => void) => {
				void upload.abort();
				settle();
			};
			aborted = () => stop(() => reject(signal?.reason));
			signal?.addEventListener("abort", aborted, { once: true });
			const stall = () =>
				stop(() =>
					resolve(
						new ConnectionError("timeout", `The upload did not move for ${stallSeconds} s.`, { cause: undefined }),
					),
				);
			course.moved = () => {
				clearTimeout(stalled);
				stalled = setTimeout(stall, stallSeconds * 1000);
			};
			upload.options.onSuccess = () => resolve(undefined);
			upload.options.onError = resolve;
			course.moved();
			upload.start();
		});
	} finally {
		course.moved = () => {};
		clearTimeout(stalled);
		signal?.removeEventListener("abort", aborted);
	}
}
