import { DetailedError, Upload, type UploadOptions } from "tus-js-client";

/** What the app keeps of an upload until it is done, where it keeps a session. A killed app goes on with it. */
export type Kept = { endpoint: string; token: string; videoId: string; url: string | null };

/** Whether the service says that the upload is over; undefined if it isn't. `?1` means that it has every byte. */
const endOf = (error: unknown) =>
	error instanceof DetailedError ? error.originalResponse?.getHeader("Upload-Complete") : undefined;

function isWorthRetrying(error: DetailedError): boolean {
	const status = error.originalResponse?.getStatus() ?? 0;
	return endOf(error) === undefined && (status < 400 || [409, 423, 429].includes(status) || status >= 500);
}

/** Sends a file, or goes on where an earlier run stopped. `keep` stores what it is given. */
export function sendByTus(
	file: Upload["file"],
	kept: Kept,
	keep: (kept: Kept) => void,
	more: Pick<UploadOptions, "onProgress" | "onChunkComplete"> & { signal?: AbortSignal } = {},
): Promise<void> {
	const { signal, ...listeners } = more;
	return new Promise((resolve, reject) => {
		const upload = new Upload(file, {
			...listeners,
			endpoint: kept.endpoint,
			uploadUrl: kept.url,
			headers: { Authorization: `Bearer ${kept.token}` },
			metadata: { video_id: kept.videoId },
			chunkSize: 8 * 1024 * 1024,
			retryDelays: [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000],
			storeFingerprintForResuming: false,
			onShouldRetry: isWorthRetrying,
			onUploadUrlAvailable: () => keep({ ...kept, url: upload.url }),
			onError: (error) => (endOf(error) === "?1" ? resolve() : reject(error)),
			onSuccess: () => resolve(),
		});
		signal?.addEventListener("abort", () => void upload.abort().then(() => reject(signal.reason)));
		upload.start();
	});
}
