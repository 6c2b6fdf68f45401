import { isReelmillError } from "@reelmill/client";
import { fingerprint } from "./fingerprint.ts";
import { createStore, type Store } from "./store.ts";
import { type StorageLike, uploadRecords } from "./upload-record.ts";
import { type InitiatedUpload, rememberRequest, replaceable, type UploadRequest } from "./upload-request.ts";
import { createUploadRun } from "./upload-run.ts";
import { readUploadSource, type UploadSource } from "./upload-source.ts";
import { endedAs, initialState, isOver, stopped, type UploadState } from "./upload-state.ts";
import { joinTabs, type TabCommand, type Tabs } from "./upload-tabs.ts";

/** What `createUpload` needs: the file, and how an upload is initiated. */
export type CreateUploadOptions = {
	/** The file to send. After a reload, the same file is recognised by its name, its time and its bytes. */
	file: Blob;
	/**
	 * Asks your back end for an upload of the file: the back end calls `createVideo` and returns its answer. It is asked
	 * before anything is sent, also if this browser keeps an upload of the file: only the back end knows who is signed in,
	 * and what the upload is for. `request.kept` has the kept videos' ids; answer with one of them, and without `upload`,
	 * to continue it. `uploadRoutes` does so. It is not called if the file's first bytes show something that can't be
	 * taken, such as a picture: the error is `invalid_content_type` then.
	 *
	 * `source` is what the page has read of the film, or null. Pass its length on as `duration_seconds`, in whole
	 * seconds: a film that is too long is refused then (`duration_too_long`), before a byte of it is sent. `fromBackEnd`
	 * does so.
	 */
	initiate: (file: Blob, source: UploadSource | null, request: UploadRequest) => Promise<InitiatedUpload>;
	/**
	 * Where a running upload is kept across reloads (default: `localStorage`); null for nowhere, and then no other tab
	 * follows it.
	 */
	storage?: StorageLike | null;
	/** How the keys in the storage begin (default: `reelmill-upload`). */
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

/** What `createUpload` gives: the upload's state, and the ways to steer it. */
export type UploadController = {
	/** The current state, and its changes. */
	readonly state: Store<UploadState>;
	/**
	 * Starts the upload, or continues it at the offset that the service holds: after `pause`, after a failure, or on a
	 * new page with the same file, if the back end says that it is the same upload. If another tab sends it, this one
	 * follows that tab and takes over when it is closed. After `cancelled` and `expired` it begins a new upload. While the
	 * upload runs, every call returns the same promise. The promise settles when the upload is done, failed, cancelled,
	 * expired or closed, but not when it is paused. It may be ignored.
	 *
	 * `replace` cancels the upload that is in the way, if the last start failed with `concurrent_upload_exists`: by the
	 * token that this browser keeps of it, or else by the back end (`request.replace`).
	 */
	start(options?: { replace?: boolean }): Promise<{ videoId: string }>;
	/** Stops sending, in whichever tab. The service keeps the acknowledged bytes. Does nothing if nothing runs. */
	pause(): void;
	/** Continues after `pause`. Does nothing otherwise. */
	resume(): void;
	/**
	 * Ends the upload for ever, in every tab, and cancels its video. If the service can't be reached, the video expires.
	 * Never rejects. Does nothing if the upload has ended.
	 */
	cancel(): Promise<void>;
	/**
	 * Lets go of the upload without ending it, as when its component leaves the page: nothing is sent any more, the state
	 * is `idle`, and another tab that follows takes over. `start` continues. Idempotent.
	 */
	close(): void;
};

/**
 * Creates an upload of one file from the browser straight to the service. It does nothing before `start`. For many
 * files take {@link createUploader}: a browser opens six connections to a service, and an upload that waits for one for
 * a minute counts as broken, and tries again.
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
	const { store, set } = createStore(initialState(file.size));
	const records = uploadRecords(storage, storageKey);
	const upload = createUploadRun({ file, initiate: initiateKnown, records, ...limits }, store.get, set);
	let tabs: Tabs | undefined;
	let running: AbortController | undefined;
	let completion: Completion | undefined;
	store.subscribe((state) => tabs?.tell(state));

	async function initiateKnown(request: UploadRequest): Promise<InitiatedUpload> {
		const source = await readUploadSource(file);
		set({ source });
		rememberRequest(file, request);
		return initiate(file, source, request);
	}

	async function run(inTheWay: string | undefined, signal: AbortSignal): Promise<string> {
		const name = await fingerprint(file);
		for (let isAnew = false; ; isAnew = true) {
			signal.throwIfAborted();
			const videoId = await upload.open(name, inTheWay, signal);
			await take(videoId, signal);
			try {
				await upload.send(signal);
				return videoId;
			} catch (error) {
				if (isAnew || signal.aborted || !upload.hadEnded(error)) throw error;
				leave();
				set({ startedAnew: true, status: "preparing", videoId: null });
			}
		}
	}

	/** Resolves when this tab may send. */
	async function take(videoId: string, signal: AbortSignal): Promise<void> {
		const locks = storage === null ? undefined : globalThis.navigator?.locks;
		tabs ??= joinTabs(`${storageKey}:${videoId}`, locks, { told: follow, asked, current: store.get });
		await tabs.take(signal);
		const { status, inOtherTab } = store.get();
		if (!inOtherTab) return;
		set({ ...stopped, inOtherTab: false, status: status === "paused" ? "paused" : "preparing" });
		if (status === "paused") stop();
		signal.throwIfAborted();
	}

	function leave(): void {
		tabs?.leave();
		tabs = undefined;
	}

	function begin(replace = false): void {
		const controller = new AbortController();
		running = controller;
		const { ended, error } = store.get();
		const inTheWay = replace ? inTheWayOf(error) : undefined;
		set({ ...(ended && initialState(file.size)), status: "preparing", error: null, canReplace: false });
		run(inTheWay, controller.signal).then(
			(videoId) => {
				if (running !== controller) return;
				const elsewhere = store.get().bytesSent < file.size;
				end({ ...endedAs("done", elsewhere), bytesSent: file.size, error: null });
				settle(({ resolve }) => resolve({ videoId }));
			},
			(reason: unknown) => {
				if (running !== controller) return;
				const error = reason instanceof Error ? reason : new Error(String(reason));
				const status = endOf(error);
				const existing = inTheWayOf(error);
				const canReplace = existing !== undefined && (replaceable.has(error) || records.load(existing) !== undefined);
				end({ ...(status === "failed" ? { ...stopped, status } : endedAs(status, true)), error, canReplace });
				settle(({ reject }) => reject(reason));
			},
		);
	}

	function end(change: Partial<UploadState>): void {
		stop();
		set({ ...change, inOtherTab: false });
		leave();
	}

	function settle(how: (completion: Completion) => void): void {
		const settled = completion;
		completion = undefined;
		if (settled) how(settled);
	}

	function stop(): boolean {
		const controller = running;
		running = undefined;
		controller?.abort();
		return controller !== undefined;
	}

	function follow(state: UploadState): void {
		// A tab that lets go says `idle`: the next one takes over.
		if (!running || state.status === "idle") return;
		if (!isOver(state.status)) {
			set({ ...state, inOtherTab: true });
			return;
		}
		if (state.ended) upload.forget();
		end({ ...state, endedElsewhere: true });
		const { status, videoId, error } = state;
		if (status === "done" && videoId !== null) settle(({ resolve }) => resolve({ videoId }));
		else settle(({ reject }) => reject(error ?? aborted("The upload was cancelled in another tab.")));
	}

	function asked(command: TabCommand): void {
		if (command === "cancel") void cancel(true);
		else if (command === "pause") pause();
		else resume();
	}

	function pause(): void {
		if (store.get().inOtherTab) tabs?.ask("pause");
		else if (stop()) set({ ...stopped, status: "paused", error: null });
	}

	function resume(): void {
		const { status, inOtherTab } = store.get();
		if (status !== "paused") return;
		if (inOtherTab) tabs?.ask("resume");
		else begin();
	}

	async function cancel(elsewhere: boolean): Promise<void> {
		const { status, inOtherTab } = store.get();
		if (isOver(status) && status !== "failed") return;
		if (inOtherTab) tabs?.ask("cancel");
		end({ ...endedAs("cancelled", elsewhere), error: null });
		settle(({ reject }) => reject(aborted("The upload was cancelled.")));
		await upload.discard();
	}

	return {
		state: store,
		start({ replace = false } = {}) {
			const { status, videoId } = store.get();
			if (status === "done" && videoId !== null) return Promise.resolve({ videoId });
			completion ??= newCompletion();
			const { promise } = completion;
			if (!running) begin(replace);
			else resume();
			return promise;
		},
		pause,
		resume,
		cancel: () => cancel(false),
		close() {
			if (!running && !tabs && !completion) return;
			end({ ...stopped, status: "idle", error: null });
			settle(({ reject }) => reject(aborted("The upload was closed.")));
		},
	};
}

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

const aborted = (message: string): Error => new DOMException(message, "AbortError");

/** The video whose upload keeps this one from being created. */
export const inTheWayOf = (error: Error | null): string | undefined =>
	isReelmillError(error, "concurrent_upload_exists") ? error.extras.existing_video_id : undefined;

/** The state in which an error leaves an upload. */
function endOf(error: Error): "cancelled" | "expired" | "failed" {
	if (!isReelmillError(error, "upload_not_pending")) return "failed";
	const { upload_end: end } = error.extras;
	return end === "cancelled" || end === "expired" ? end : "failed";
}
