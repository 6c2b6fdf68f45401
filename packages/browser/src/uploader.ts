import { type CreateUploadOptions, createUpload } from "./create-upload.ts";
import { createStore, type Store } from "./store.ts";
import { isOver, type UploadState } from "./upload-state.ts";

/** How the uploads of several files are initiated, and how many run at once. */
export type UploaderOptions = Omit<CreateUploadOptions, "file"> & {
	/** How many files are sent at once (default: 3). The others wait for their turn, in the order they were added. */
	simultaneous?: number;
};

/** One file of an uploader. */
export type UploaderItem = {
	/** Names the item in this uploader. */
	readonly id: string;
	readonly file: Blob;
	/** The state of its upload; `waiting` until its turn comes. */
	readonly state: UploadState;
};

/** The files of an uploader and how far they have come together. */
export type UploaderState = {
	/** In the order they were added. Each item is a new object after each of its changes, and the same until then. */
	items: readonly UploaderItem[];
	/** The sum over the items that were not cancelled and did not expire. */
	bytesSent: number;
	bytesTotal: number;
	/** Whether an item runs or waits for its turn. */
	isBusy: boolean;
};

/** Each function takes an item's id; without one it acts on all items. An unknown id does nothing. */
export type Uploader = {
	readonly state: Store<UploaderState>;
	/** Adds files; each one starts when its turn comes. Returns their ids, in order. */
	add(files: Iterable<Blob>): string[];
	/** Starts what failed, was cancelled or expired, or was closed, when its turn comes. What runs goes on. */
	start(id?: string): void;
	/** Stops what runs or waits. */
	pause(id?: string): void;
	/** Continues what was paused, when its turn comes. */
	resume(id?: string): void;
	/** Cancels uploads and their videos. Resolves when the service was told. */
	cancel(id?: string): Promise<void>;
	/** Takes items that are over or idle off the list: done, failed, cancelled, expired. The others stay. */
	remove(id?: string): void;
	/** Lets go of all uploads without ending them, as when its component leaves the page. Idempotent. */
	close(): void;
};

/**
 * Creates an uploader of several files. Each file is an upload of its own, as {@link createUpload} makes it; a few are
 * sent at once, so that none of them waits for a connection of the browser.
 * @example
 * ```ts
 * import { createUploader } from "@reelmill/browser/upload";
 *
 * const files = [new File(["the bytes of a video"], "clip.mp4")]; // or those of an <input type="file" multiple>
 * const initiate = async () => (await fetch("/my-backend/initiate", { method: "POST" })).json();
 * const uploader = createUploader({ initiate });
 *
 * const isDone = new Promise<void>((resolve) => {
 * 	uploader.state.subscribe(({ isBusy }) => isBusy || resolve());
 * });
 * uploader.add(files);
 * await isDone;
 * const { items, bytesSent } = uploader.state.get();
 * console.log(items[0]?.state.status, bytesSent); // => done 20
 * ```
 */
export function createUploader({ simultaneous = 3, ...options }: UploaderOptions): Uploader {
	const { store, set } = createStore<UploaderState>({ items: [], bytesSent: 0, bytesTotal: 0, isBusy: false });
	const entries = new Map<string, Entry>();
	let count = 0;

	function stateOf({ upload, queued }: Entry): UploadState {
		const state = upload.state.get();
		return queued === null ? state : { ...state, status: queued, error: null };
	}

	/** Starts as many of those that wait as there is room for, and tells what has changed. */
	function turn(): void {
		const sending = [...entries.values()].filter((entry) => isSending(entry)).length;
		const next = [...entries.values()]
			.filter(({ queued }) => queued === "waiting")
			.slice(0, Math.max(0, simultaneous - sending));
		for (const entry of next) {
			// To start one tells of a change, which has taken this turn for the others.
			if (entry.queued !== "waiting") continue;
			entry.queued = null;
			if (entry.upload.state.get().status === "paused") entry.upload.resume();
			else void entry.upload.start().catch(() => {});
		}
		tell();
	}

	function tell(): void {
		const before = new Map(store.get().items.map((item) => [item.id, item]));
		const items = [...entries.values()].map((entry): UploaderItem => {
			const [item, upload] = [before.get(entry.id), entry.upload.state.get()];
			if (item && entry.told?.upload === upload && entry.told.queued === entry.queued) return item;
			entry.told = { upload, queued: entry.queued };
			return { id: entry.id, file: entry.file, state: stateOf(entry) };
		});
		if (items.length === before.size && items.every((item) => before.get(item.id) === item)) return;
		const counted = items.filter(({ state }) => state.status !== "cancelled" && state.status !== "expired");
		set({
			items,
			bytesSent: counted.reduce((sum, { state }) => sum + state.bytesSent, 0),
			bytesTotal: counted.reduce((sum, { state }) => sum + state.bytesTotal, 0),
			isBusy: items.some(({ state: { status } }) => !isOver(status) && status !== "idle" && status !== "paused"),
		});
	}

	function each(id: string | undefined, act: (entry: Entry) => void): void {
		for (const entry of id === undefined ? [...entries.values()] : [entries.get(id)]) if (entry) act(entry);
		turn();
	}

	return {
		state: store,
		add(files) {
			const added = Array.from(files, (file): Entry => {
				const upload = createUpload({ ...options, file });
				const entry: Entry = { id: `${++count}`, file, upload, queued: "waiting" };
				entry.upload.state.subscribe(turn);
				entries.set(entry.id, entry);
				return entry;
			});
			turn();
			return added.map(({ id }) => id);
		},
		start: (id) =>
			each(id, (entry) => {
				const { status } = entry.upload.state.get();
				if (status === "idle" || (isOver(status) && status !== "done")) entry.queued = "waiting";
			}),
		pause: (id) =>
			each(id, (entry) => {
				if (entry.queued) entry.queued = "paused";
				else entry.upload.pause();
			}),
		resume: (id) =>
			each(id, (entry) => {
				const isPaused = entry.queued ?? entry.upload.state.get().status === "paused";
				if (isPaused) entry.queued = "waiting";
			}),
		async cancel(id) {
			const cancelled: Promise<void>[] = [];
			each(id, (entry) => {
				entry.queued = null;
				cancelled.push(entry.upload.cancel());
			});
			await Promise.all(cancelled);
		},
		remove: (id) =>
			each(id, ({ id, queued, upload }) => {
				const { status } = upload.state.get();
				if (queued === null && (status === "idle" || isOver(status))) entries.delete(id);
			}),
		close: () =>
			each(undefined, (entry) => {
				entry.queued = null;
				entry.upload.close();
			}),
	};
}

type Entry = {
	readonly id: string;
	readonly file: Blob;
	readonly upload: ReturnType<typeof createUpload>;
	/** Whether it waits for its turn, or was paused before its turn came. */
	queued: "waiting" | "paused" | null;
	/** What its item shows. */
	told?: { upload: UploadState; queued: "waiting" | "paused" | null };
};

const isSending = ({ upload }: Entry): boolean => {
	const { status, inOtherTab } = upload.state.get();
	return !inOtherTab && (status === "preparing" || status === "uploading" || status === "retrying");
};
