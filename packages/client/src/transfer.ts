import { isReelmillError } from "@reelmill/contracts/errors";
import { Upload } from "tus-js-client";
import { ConnectionError } from "./connection-error.ts";
import { backoffSeconds } from "./retry.ts";
import { judge } from "./transfer-failure.ts";
import { assertReadable, readerFor, type TransferSource } from "./transfer-source.ts";
import { waitToRetry } from "./wait-to-retry.ts";

export type { TransferSource } from "./transfer-source.ts";

/** What `createVideo` answered as `upload`, as far as a transfer needs it. */
export type TransferTicket = { endpoint: string; token: string; metadata: { video_id: string } };

export type TransferOptions = {
	/**
	 * A Blob or File, or in Node a readable stream. A stream can't go back: its retries reach only as far as the current
	 * chunk.
	 */
	source: TransferSource;
	/** Bytes; exactly the `file_size` that was declared. */
	size: number;
	ticket: TransferTicket;
	/**
	 * The upload's own address where it was created before (see `onCreated`): the transfer then goes on at the offset
	 * reached. Without it the upload is created.
	 */
	uploadUrl?: string | undefined;
	/** Bytes of one request; 16 MiB unless told. */
	chunkSize?: number | undefined;
	/**
	 * Failures in a row without a further byte acknowledged after which it gives up; 12 unless told, which is about a
	 * minute and a half.
	 */
	retries?: number | undefined;
	/** Wait before the first retry in seconds; doubled each time, up to 10 s. 0.5 unless told. */
	backoffSeconds?: number | undefined;
	/** A request that moves no byte for this many seconds is given up and tried again; 60 unless told. */
	stallSeconds?: number | undefined;
	/** Stops the transfer; what was acknowledged stays with the server, and a transfer with `uploadUrl` goes on there. */
	signal?: AbortSignal | undefined;
	onCreated?: ((uploadUrl: string) => void) | undefined;
	/** Bytes that the server has acknowledged; goes back where it lost some, as a restore or a failover can make it. */
	onAcknowledged?: ((bytes: number) => void) | undefined;
	/** Bytes handed to the network, acknowledged or not; goes back when some were lost. */
	onProgress?: ((bytes: number) => void) | undefined;
	onRetry?: ((retry: { error: Error; seconds: number }) => void) | undefined;
};

/**
 * Sends a file over tus and comes back when the server says that it has it all; that every byte was sent is not enough.
 * After any failure it asks for the offset and goes on there, also where that went back. An upload of which the server
 * has nothing any more is created once more, from a Blob.
 * @throws ReelmillError for an answer that is final (`unauthorized`, `video_not_found`, `upload_not_pending` where not
 * every byte arrived, ...)
 * @throws ConnectionError when the server could not be reached for all retries
 * @throws the signal's reason when aborted; any error of reading the source
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
		// Bytes that are sent once more are no progress: a server that loses them each time must not be sent them for ever.
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
 * Ends an upload for good: the server throws its bytes away and cancels the video.
 * @throws the error of tus-js-client when the server refuses or can't be reached; the upload then expires by itself
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
	/** The last offset that the server told; -1 before. */
	acknowledged: number;
	/** The highest that it ever told. */
	furthest: number;
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
			// With an endpoint, a HEAD that fails later would make tus-js-client create the upload again and start from byte
			// 0.
			upload.options.endpoint = null;
			if (upload.url !== null) options.onCreated?.(upload.url);
		},
		onBeforeRequest() {
			// An abort during tus-js-client's own preparations is forgotten by it.
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

/** One run of tus-js-client up to its end (undefined), its first failure or its first stall. */
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
