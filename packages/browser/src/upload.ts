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
	/** What to send. After a reload, the same file chosen again is known by its bytes. */
	file: Blob;
	/**
	 * Asks your back end for an upload: it calls `createVideo` and hands its answer through. Called at most once for an
	 * upload; not at all where an earlier page's upload goes on.
	 */
	initiate: () => Promise<{ video: { id: string }; upload: UploadTicket }>;
	/** Where a running upload is kept across reloads; `localStorage` unless told, null for nowhere. */
	storage?: StorageLike | null;
	/** Begins the key in the storage; "reelmill-upload" unless told. Give each user of a shared browser their own. */
	storageKey?: string;
	/**
	 * Bytes of one request; 16 MiB unless told: few round trips, well below what proxies refuse, and what a broken
	 * connection has delivered is kept whatever it is.
	 */
	chunkSize?: number;
	/**
	 * Failures in a row without a further byte acknowledged after which it gives up; 12 unless told, about a minute and a
	 * half. While the browser is offline it waits.
	 */
	retries?: number;
	/** Wait before the first retry in seconds, doubled each time up to 10 s; 0.5 unless told. */
	backoffSeconds?: number;
};

export type UploadController = {
	readonly state: Store<UploadState>;
	/**
	 * Starts, or goes on at the offset reached: after `pause`, after a failure, and on a new page with the same file.
	 * While it runs, it gives the same promise again. The promise settles when the upload is done, has failed or was
	 * cancelled, not when it is paused; nothing goes wrong if nobody looks at it.
	 */
	start(): Promise<{ videoId: string }>;
	/** Stops sending; what was acknowledged stays. Does nothing unless it runs. */
	pause(): void;
	/** Goes on after `pause`; does nothing otherwise. */
	resume(): void;
	/**
	 * Ends it for good and tells the server, as far as it can be reached: the video becomes cancelled, otherwise it
	 * expires. Never rejects. Does nothing once done.
	 */
	cancel(): Promise<void>;
};

/** An upload of one file from the browser straight to the service. It does nothing until `start`. */
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
 * Answers after which this upload can't go on, ever: expired, cancelled, finished by someone else, or its token is not
 * good.
 */
const isDead = (error: unknown): boolean =>
	(["upload_not_pending", "unauthorized", "not_found", "video_not_found"] as const).some((code) =>
		isReelmillError(error, code),
	);
