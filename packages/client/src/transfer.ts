import { isReelmillError } from "@reelmill/contracts/errors";
import type { DetailedError } from "tus-js-client";
// What its entries for pages and for Node share. Each of them is twice as large, for what we have or need not.
import Upload from "tus-js-client/lib/upload.js";
import { ConnectionError } from "./connection-error.ts";
import type { Obstacle } from "./foreign-answer.ts";
import { httpStack } from "./http-stack.ts";
import { backoffSeconds } from "./retry-policy.ts";
import { type StallWatch, watchForStall } from "./stall.ts";
import { errorOf, judge, obstacleTo, requestOf } from "./transfer-failure.ts";
import type { TransferOptions } from "./transfer-options.ts";
import { assertReadable, openSource } from "./transfer-source.ts";
import { waitToRetry } from "./wait-to-retry.ts";
import { findWay, wayTo } from "./way-to-service.ts";

export { refuseOtherFiles } from "./refuse-other-files.ts";
export type { TransferOptions, TransferSource, TransferTicket } from "./transfer-options.ts";

/**
 * Sends a file over tus. Resolves when the service says that it has every byte: that every byte was sent is not enough.
 * After a failure it asks for the offset and continues there, even if the offset fell. If the service has lost the
 * upload, a Blob is uploaded once more from the beginning. Where something on the way refuses PATCH, it sends POST; where
 * it refuses large bodies, it sends smaller ones. Both hold for the page's, or the process's, later transfers too.
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
	const { source, size, signal } = options;
	if (source instanceof Blob && source.size !== size)
		throw new Error(`The source has ${source.size} bytes, but ${size} were declared.`);
	signal?.throwIfAborted();
	let abort = () => {};
	const watch = watchForStall(options.stallSeconds ?? 60);
	try {
		await new Promise<void>((resolve, reject) => {
			const upload = createTusUpload(options, watch, resolve, reject);
			abort = () => {
				void upload.abort();
				reject(signal?.reason);
			};
			signal?.addEventListener("abort", abort);
			upload.start();
		});
	} finally {
		watch.end();
		signal?.removeEventListener("abort", abort);
	}
}

/** Creates an upload of tus-js-client with our policy in its hooks. */
function createTusUpload(
	options: TransferOptions,
	watch: StallWatch,
	resolve: () => void,
	reject: (reason: unknown) => void,
): Upload {
	const { source, size, ticket, uploadUrl = null, signal, retries = 12, chunkSize = 16 * 1024 * 1024 } = options;
	/** The last offset that the service told (-1 before the first), and the highest one. */
	let [acknowledged, furthest] = [-1, 0];
	/** The consecutive failures without progress, and how far the transfer had come before the last of them. */
	let [failures, reached] = [0, -1];
	/** How far the transfer had come when a PATCH last failed without an answer that tells why. */
	let stuckAt = -1;
	let createdAgain = false;
	const way = wayTo(ticket.endpoint);
	/** What the next request waits for. */
	let pause: { error: Error; seconds: number } | undefined;
	const retryDelays = [0];
	const upload = new Upload(source as Blob, {
		...Upload.defaultOptions,
		endpoint: uploadUrl === null ? ticket.endpoint : null,
		uploadUrl,
		uploadSize: size,
		chunkSize: Math.min(chunkSize, way.longestBody),
		metadata: { video_id: ticket.metadata.video_id },
		headers: headersOf(ticket.token),
		fileReader: { openFile: async () => openSource(source, options.beforeLast) },
		httpStack: httpStack(watch.during),
		// What a page keeps has the ticket as well, and exists before the upload.
		storeFingerprintForResuming: false,
		fingerprint: async () => "",
		retryDelays,
		onUploadUrlAvailable() {
			const isNew = upload.options.endpoint !== null;
			// With an endpoint, tus-js-client would begin at byte 0 of a new upload after any refused HEAD.
			upload.options.endpoint = null;
			if (isNew && upload.url !== null) options.onCreated?.(upload.url);
		},
		async onBeforeRequest() {
			if (pause) {
				await assertReadable(source, Math.max(0, acknowledged));
				options.onRetry?.(pause);
				await waitToRetry(pause.seconds, signal);
				pause = undefined;
			}
			// tus-js-client forgets an abort that comes while it prepares a request.
			signal?.throwIfAborted();
		},
		onAfterResponse(_, response) {
			upload.options.chunkSize = Math.min(chunkSize, way.longestBody);
			const offset = Number.parseInt(response.getHeader("Upload-Offset") ?? "", 10);
			if (response.getStatus() >= 300 || Number.isNaN(offset) || offset === acknowledged) return;
			acknowledged = offset;
			furthest = Math.max(furthest, offset);
			options.onAcknowledged?.(offset);
		},
		onProgress(bytes) {
			watch.moved();
			if (!signal?.aborted) options.onProgress?.(bytes);
		},
		onShouldRetry(failure) {
			const verdict = judge(failure);
			const request = requestOf(failure);
			let obstacle: Obstacle | "unclear" | undefined = obstacleTo(failure);
			if (
				request.getMethod() === "PATCH" &&
				verdict.outcome === "retry" &&
				(obstacle === "broken" || verdict.error instanceof ConnectionError)
			) {
				// A page can't read the answer of a firewall that sends no CORS headers.
				if (stuckAt === furthest) obstacle = "unclear";
				stuckAt = furthest;
			}
			if (findWay(way, request, obstacle)) pause = undefined;
			else if (verdict.outcome === "retry") {
				// Bytes that are sent again are no progress: otherwise a server that loses them each time would get them for ever.
				failures = furthest > reached ? 1 : failures + 1;
				reached = furthest;
				if (failures > retries) return false;
				const seconds = Math.max(verdict.afterSeconds ?? 0, backoffSeconds(failures, options.backoffSeconds ?? 0.5));
				pause = { error: verdict.error, seconds };
			} else {
				const isLost = verdict.outcome === "fail" && isReelmillError(verdict.error, "not_found");
				if (!isLost || createdAgain || !(source instanceof Blob)) return false;
				createdAgain = true;
				upload.url = null;
				Object.assign(upload.options, { endpoint: ticket.endpoint, uploadUrl: null });
			}
			// tus-js-client counts retries in its own way: there is always one more.
			retryDelays.push(0);
			return true;
		},
		onError(failure) {
			const verdict = judge(failure);
			if (verdict.outcome === "done") resolve();
			else if (verdict.outcome === "fail") reject(verdict.error);
			else assertReadable(source, Math.max(0, acknowledged)).then(() => reject(verdict.error), reject);
		},
		onSuccess: () => resolve(),
	});
	return upload;
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
	const watch = watchForStall(20);
	const options = {
		headers: headersOf(token),
		httpStack: httpStack(watch.during),
		retryDelays: [0],
		onShouldRetry(failure: Error) {
			const obstacle = obstacleTo(failure);
			findWay(wayTo(uploadUrl), requestOf(failure as DetailedError), obstacle);
			return obstacle === "method";
		},
	};
	try {
		await Upload.terminate(uploadUrl, options);
	} catch (failure) {
		throw errorOf(failure as Error);
	} finally {
		watch.end();
	}
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });
