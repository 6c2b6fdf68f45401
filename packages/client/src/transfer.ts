import { isReelmillError } from "@reelmill/contracts/errors";
import { backoffSeconds } from "./retry-policy.ts";
import { watchForStall } from "./stall.ts";
import { errorOf, judge, Refusal } from "./transfer-failure.ts";
import { send, type TransferAnswer } from "./transfer-request.ts";
import { assertReadable, type ChunkReader, chunksOf, GoneBack, type TransferSource } from "./transfer-source.ts";
import { waitToRetry } from "./wait-to-retry.ts";

export { refuseOtherFiles } from "./refuse-other-files.ts";
export type { TransferSource } from "./transfer-source.ts";

/** The part of `upload` in the answer of `createVideo` that a transfer needs. */
export type TransferTicket = { endpoint: string; token: string; metadata: { video_id: string } };

/** What `transfer` needs: the ticket, the bytes, and how patient it is. */
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
	const { source, size, signal, retries = 12, chunkSize = 16 * 1024 * 1024 } = options;
	if (source instanceof Blob && source.size !== size)
		throw new Error(`The source has ${source.size} bytes, but ${size} were declared.`);
	const course: Course = { acknowledged: -1, furthest: -1, uploadUrl: options.uploadUrl };
	const read = chunksOf(source, chunkSize);
	let createdAgain = false;
	for (let failures = 0; ; ) {
		const before = course.furthest;
		signal?.throwIfAborted();
		const failure = await attempt(read, course, options).then(
			() => undefined,
			(error: unknown) => ({ error }),
		);
		if (failure === undefined) return;
		signal?.throwIfAborted();
		if (failure.error instanceof GoneBack) throw wentBack(course, failure.error);
		const verdict = judge(failure.error);
		if (verdict.outcome === "done") return;
		if (verdict.outcome === "fail") {
			const isLost = source instanceof Blob && !createdAgain && isReelmillError(verdict.error, "not_found");
			if (!isLost) throw verdict.error;
			createdAgain = true;
			course.uploadUrl = undefined;
			continue;
		}
		await assertReadable(source, Math.max(0, course.acknowledged));
		// Bytes that are sent again are no progress: otherwise a server that loses them each time would get them for ever.
		failures = course.furthest > before ? 1 : failures + 1;
		if (failures > retries) throw verdict.error;
		const seconds = Math.max(verdict.afterSeconds ?? 0, backoffSeconds(failures, options.backoffSeconds ?? 0.5));
		options.onRetry?.({ error: verdict.error, seconds });
		await waitToRetry(seconds, signal);
	}
}

/**
 * Ends an upload for ever: the service deletes its bytes and cancels the video.
 * @throws {ReelmillError} when the service refuses; the upload is over already, or expires by itself
 * @throws {ConnectionError} when the service can't be reached; the upload expires by itself
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
	const answer = await send({ method: "DELETE", url: uploadUrl, headers: headersOf(token) });
	if (answer.status !== 204) throw errorOf(answer);
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
	/** The upload's own address; undefined before its creation. */
	uploadUrl: string | undefined;
};

const headersOf = (token: string): Record<string, string> => ({
	authorization: `Bearer ${token}`,
	"tus-resumable": "1.0.0",
});

/**
 * Creates the upload or asks for its offset, and sends until the service has every byte.
 * @throws {Refusal} when the service refuses, {@link ConnectionError} when it doesn't answer or nothing moves, and what
 * reading the source throws
 */
async function attempt(read: ChunkReader, course: Course, options: TransferOptions): Promise<void> {
	const { size, ticket } = options;
	const headers = headersOf(ticket.token);
	const watch = watchForStall(options.stallSeconds ?? 60, options.signal);
	const { signal } = watch;
	const reached = (answer: TransferAnswer): number => {
		watch.moved();
		const offset = offsetOf(answer);
		if (offset !== course.acknowledged) {
			course.acknowledged = offset;
			course.furthest = Math.max(course.furthest, offset);
			options.onAcknowledged?.(offset);
		}
		options.onProgress?.(offset);
		return offset;
	};
	try {
		let offset = 0;
		if (course.uploadUrl === undefined) {
			course.uploadUrl = await create(options, signal);
			options.onCreated?.(course.uploadUrl);
		} else offset = reached(await send({ method: "HEAD", url: course.uploadUrl, headers, signal }));
		while (offset < size) {
			const [from, body] = [offset, await read(offset)];
			if (body.size === 0) throw new Error(`The source has ${offset} bytes, but ${size} were declared.`);
			signal.throwIfAborted();
			watch.moved();
			const answer = await send({
				method: "PATCH",
				url: course.uploadUrl,
				headers: { ...headers, "content-type": "application/offset+octet-stream", "upload-offset": `${from}` },
				body,
				onSent(bytes) {
					watch.moved();
					options.onProgress?.(from + bytes);
				},
				signal,
			});
			offset = reached(answer);
		}
	} finally {
		watch.end();
	}
}

async function create({ size, ticket }: TransferOptions, signal: AbortSignal): Promise<string> {
	const id = btoa(String.fromCharCode(...new TextEncoder().encode(ticket.metadata.video_id)));
	const answer = await send({
		method: "POST",
		url: ticket.endpoint,
		headers: { ...headersOf(ticket.token), "upload-length": `${size}`, "upload-metadata": `video_id ${id}` },
		signal,
	});
	const location = answer.header("location");
	if (answer.status !== 201 || location === null) throw new Refusal(answer);
	return new URL(location, ticket.endpoint).href;
}

/** @throws {Refusal} when the answer tells no offset */
function offsetOf(answer: TransferAnswer): number {
	const told = answer.header("upload-offset");
	if (answer.status >= 300 || told === null || !/^\d+$/.test(told)) throw new Refusal(answer);
	return Number(told);
}
