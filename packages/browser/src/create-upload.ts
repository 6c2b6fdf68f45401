import { isReelmillError } from "@reelmill/client";
import { terminateTransfer, transfer } from "@reelmill/client/transfer";
import type { UploadTicket } from "@reelmill/contracts";
import { fingerprint } from "./fingerprint.ts";
import { createSpeedometer } from "./speedometer.ts";
import { createStore, type Store } from "./store.ts";
import { type StorageLike, type UploadRecord, type UploadRecords, uploadRecords } from "./upload-record.ts";
import { initialState, type UploadState } from "./upload-state.ts";

export type { Store } from "./store.ts";
export type { StorageLike } from "./upload-record.ts";
export type { UploadState, UploadStatus } from "./upload-state.ts";

export type CreateUploadOptions = {
	/** The file to send. After a reload, the same file is recognised by its bytes. */
	file: Blob;
	/**
	 * Asks your back end for an upload: the back end calls `createVideo` and returns its answer. It is called at most
	 * once for an upload, and not at all if the upload of an earlier page continues.
	 */
	initiate: () => Promise<{ video: { id: string }; upload: UploadTicket }>;
	/** Where a running upload is kept across reloads; null for nowhere (default: `localStorage`). */
	storage?: StorageLike | null;
	/** How the key in the storage begins (default: `reelmill-upload`). Give each user of a shared browser another one. */
	storageKey?: string;
	/**
	 * Bytes of one request (default: 16777216). That takes few round trips and is less than proxies refuse. A broken
	 * connection loses no bytes that the service has received, whatever the size.
	 */
	chunkSize?: number;
	/**
	 * How many consecutive attempts may fail without progress before the upload gives up (default: 12, about 90 s). While
	 * the browser is offline the upload waits.
	 */
	retries?: number;
	/** Seconds before the first retry (default: 0.5). The wait doubles for each further one, up to 10 s. */
	backoffSeconds?: number;
};

export type UploadController = {
	/** The current state, and its changes. */
	readonly state: Store<UploadState>;
	/**
	 * Starts the upload, or continues it at the offset that the service holds: after `pause`, after a failure, or on a
	 * new page with the same file. While the upload runs, every call returns the same promise. The promise settles when
	 * the upload is done, failed or cancelled, but not when it is paused. It may be ignored.
	 */
	start(): Promise<{ videoId: string }>;
	/** Stops sending. The service keeps the acknowledged bytes. Does nothing if the upload does not run. */
	pause(): void;
	/** Continues after `pause`. Does nothing otherwise. */
	resume(): void;
	/**
	 * Ends the upload for ever and cancels its video. If the service can't be reached, the video expires. Never rejects.
	 * Does nothing if the upload is done.
	 */
	cancel(): Promise<void>;
};

/**
 * Creates an upload of one file from the browser straight to the service. It does nothing before `start`.
 * @example
 * ```ts
 * import { createUpload } from "@reelmill/browser/upload";
 *
 * const file = new File(["the bytes of a video"], "clip.mp4"); // or that of an <input type="file">
 * const initiate = async () => (await fetch("/my-backend/initiate", { method: "POST" })).json();
 * const upload = createUpload({ file, initiate });
 *
 * await upload.start();
 * const { status, bytesSent } = upload.state.get();
 * console.log(status, bytesSent); // => done 20
 * ```
 */
export function createUpload({
	file,
	initiate,
	storage,
	storageKey = "reelmill-upload",
	...limits
}: CreateUploadOptions): UploadController {
	const bytesTotal = file.size;
	const { store, set } = createStore(initialState(bytesTotal));
	let opening: Promise<Opened> | undefined;
	let running: AbortController | undefined;
	let completion: Completion | undefined;

	async function open(): Promise<Opened> {
		const records = uploadRecords(storage, `${storageKey}:${await fingerprint(file)}`);
		const kept = records.load();
		if (kept) return { records, record: kept, fromEarlierPage: true };
		const { video, upload } = await initiate();
		const record = { videoId: video.id, ticket: upload };
		records.save(record);
		return { records, record, fromEarlierPage: false };
	}

	async function run(signal: AbortSignal): Promise<string> {
		opening ??= open();
		const opened = await opening.catch((error: unknown) => {
			opening = undefined;
			throw error;
		});
		signal.throwIfAborted();
		set({ videoId: opened.record.videoId });
		try {
			await send(opened, signal);
		} catch (error) {
			if (signal.aborted || !isDead(error)) throw error;
			opened.records.remove();
			opening = undefined;
			if (!opened.fromEarlierPage) throw error;
			set({ status: "preparing", videoId: null, bytesSent: 0, resumedFromBytes: null });
			return run(signal);
		}
		opened.records.remove();
		return opened.record.videoId;
	}

	function send({ record, records }: Opened, signal: AbortSignal): Promise<void> {
		const speedometer = createSpeedometer();
		const resumes = record.uploadUrl !== undefined;
		const keep = (change: Partial<UploadRecord>) => records.save(Object.assign(record, change));
		set({ status: "uploading", resumedFromBytes: null });
		return transfer({
			...limits,
			source: file,
			size: bytesTotal,
			ticket: record.ticket,
			uploadUrl: record.uploadUrl,
			signal,
			onCreated: (uploadUrl) => record.uploadUrl !== uploadUrl && keep({ uploadUrl }),
			onAcknowledged(bytes) {
				if (resumes && store.get().resumedFromBytes === null) set({ resumedFromBytes: bytes });
			},
			onProgress(bytesSent) {
				if (signal.aborted) return;
				const speed = speedometer.add(bytesSent);
				set({
					status: "uploading",
					error: null,
					bytesSent,
					speedBytesPerSecond: speed,
					secondsLeft: speed ? (bytesTotal - bytesSent) / speed : null,
				});
			},
			onRetry: ({ error }) => set({ status: "retrying", error, speedBytesPerSecond: null, secondsLeft: null }),
		});
	}

	function begin(): void {
		const controller = new AbortController();
		running = controller;
		set({ status: "preparing", error: null });
		const end = (change: Partial<UploadState>, settle: (completion: Completion) => void) => {
			if (running !== controller) return;
			running = undefined;
			const ended = completion;
			completion = undefined;
			set({ ...change, speedBytesPerSecond: null, secondsLeft: null });
			if (ended) settle(ended);
		};
		run(controller.signal).then(
			(videoId) => end({ status: "done", bytesSent: bytesTotal, error: null }, ({ resolve }) => resolve({ videoId })),
			(error: unknown) =>
				end({ status: "failed", error: error instanceof Error ? error : new Error(String(error)) }, ({ reject }) =>
					reject(error),
				),
		);
	}

	function stop(): boolean {
		const controller = running;
		running = undefined;
		controller?.abort();
		return controller !== undefined;
	}

	return {
		state: store,
		start() {
			const { status, videoId } = store.get();
			if (status === "done" && videoId !== null) return Promise.resolve({ videoId });
			completion ??= newCompletion();
			const { promise } = completion;
			if (!running) begin();
			return promise;
		},
		pause() {
			if (stop()) set({ status: "paused", error: null, speedBytesPerSecond: null, secondsLeft: null });
		},
		resume() {
			if (store.get().status === "paused") begin();
		},
		async cancel() {
			const { status } = store.get();
			if (status === "done" || status === "cancelled") return;
			stop();
			set({ status: "cancelled", error: null, speedBytesPerSecond: null, secondsLeft: null });
			completion?.reject(new DOMException("The upload was cancelled.", "AbortError"));
			completion = undefined;
			const pending = opening;
			opening = undefined;
			const opened = await pending?.catch(() => undefined);
			if (!opened) return;
			const { ticket, uploadUrl, videoId } = opened.record;
			opened.records.remove();
			await terminateTransfer(uploadUrl ?? `${ticket.endpoint}/${videoId}`, ticket.token).catch(() => {});
		},
	};
}

type Opened = { records: UploadRecords; record: UploadRecord; fromEarlierPage: boolean };
type Completion = {
	promise: Promise<{ videoId: string }>;
	resolve: (done: { videoId: string }) => void;
	reject: (error: unknown) => void;
};

function newCompletion(): Completion {
	const completion = {} as Completion;
	completion.promise = new Promise((resolve, reject) => Object.assign(completion, { resolve, reject }));
	completion.promise.catch(() => {});
	return completion;
}

/**
 * Tells whether an error ends this upload for ever: it is expired, cancelled or finished by someone else, or its token
 * is not valid.
 */
const isDead = (error: unknown): boolean =>
	(["upload_not_pending", "unauthorized", "not_found", "video_not_found"] as const).some((code) =>
		isReelmillError(error, code),
	);
