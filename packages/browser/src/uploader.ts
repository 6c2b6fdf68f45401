import { isReelmillError, secondsUntilRetry } from "@reelmill/client";
import { type CreateUploadOptions, createUpload, inTheWayOf } from "./create-upload.ts";
import { createStore, type Store } from "./store.ts";
import { isOver, type UploadState } from "./upload-state.ts";

/** How the uploads of several files are initiated, and how many run at once. */
export type UploaderOptions = Omit<CreateUploadOptions, "file"> & {
	/** How many files are sent at once (default: 3). The others wait for their turn, in the order they were added. */
	simultaneous?: number;
	/** Whether the browser asks before the page is left while an item runs or waits (default: true). */
	askBeforeLeaving?: boolean;
};

/** One file of an uploader. */
export type UploaderItem = {
	/** Names the item in this uploader. */
	readonly id: string;
	readonly file: Blob;
	/** The state of its upload; `waiting` until its turn comes, or until the service takes more. */
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
	/**
	 * Starts an item that waits for another upload (`canReplace`), in that one's place: the other one is cancelled,
	 * whether it is in this list, or was left by an earlier page.
	 */
	replace(id: string): Promise<void>;
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
 *
 * It waits where the service takes no more for now. If the service allows an uploader fewer pending uploads than
 * `simultaneous`, it sends that many at once. If an upload of another page is in the way, it asks again every few
 * seconds. If a limit of uploads is reached, it goes on when the service says. The same file twice is sent twice, one
 * after the other.
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
export function createUploader({ simultaneous = 3, askBeforeLeaving = true, ...options }: UploaderOptions): Uploader {
	const { store, set } = createStore<UploaderState>({ items: [], bytesSent: 0, bytesTotal: 0, isBusy: false });
	const entries = new Map<string, Entry>();
	/** How many may be sent at once, as far as the service has shown. */
	let room = simultaneous;
	/** Why the service takes nothing, and until when, as it said or as this page guesses. */
	let held: Hold | null = null;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let refusals = 0;
	let count = 0;
	/** Each uploader's own: a browser takes the same listener once. It shows words of its own. */
	const ask = (event: Event): void => {
		event.preventDefault();
		// Chrome before 119 looks at this alone.
		Object.assign(event, { returnValue: true });
	};

	/** What an item that waits is held by; null if nothing: one that was initiated needs no more than its turn. */
	const holdOf = (entry: Entry): Hold | null => (entry.queued === "waiting" && !isInitiated(entry) ? held : null);

	function stateOf(entry: Entry): UploadState {
		const { upload, queued, refusal } = entry;
		const state = upload.state.get();
		// One that waited when the uploader was closed has not failed.
		const isLetGo = queued === null && refusal !== null && state.error === refusal;
		if (isLetGo) return { ...state, status: "idle", error: null, canReplace: false };
		if (queued === null) return state;
		const hold = holdOf(entry);
		if (hold === null) return { ...state, status: queued, error: null, canReplace: false };
		// The refusal may be older than what holds the queue now.
		const canReplace = state.canReplace && inTheWayOf(refusal) === inTheWayOf(hold.error);
		return { ...state, status: queued, error: hold.error, retryAt: hold.until, canReplace };
	}

	/** Starts as many of those that wait as there is room for, and tells what has changed. */
	function turn(): void {
		const all = [...entries.values()];
		for (const entry of all) take(entry);
		const sending = all.filter((entry) => isSending(entry)).length;
		const next = all.filter(
			(entry) => entry.queued === "waiting" && holdOf(entry) === null && !all.some((other) => isBefore(other, entry)),
		);
		for (const entry of next.slice(0, Math.max(0, room - sending))) {
			// To start one tells of a change, which has taken this turn for the others.
			if (entry.queued === "waiting") start(entry);
		}
		tell();
	}

	function start(entry: Entry, replace = false): void {
		entry.queued = null;
		entry.refusal = null;
		if (entry.upload.state.get().status === "paused") entry.upload.resume();
		else void entry.upload.start({ replace }).catch(() => {});
	}

	/** Takes back an item that the service does not take for now, and learns from that. */
	function take(entry: Entry): void {
		const { status, error } = entry.upload.state.get();
		if (status === "uploading") refusals = 0;
		const seconds = status === "failed" && error !== entry.refusal ? secondsToHold(error) : undefined;
		if (seconds === undefined || error === null) return;
		entry.queued = "waiting";
		entry.refusal = error;
		const sending = [...entries.values()].filter((other) => isSending(other)).length;
		if (seconds === null) room = Math.max(1, sending);
		if (seconds !== null || sending === 0) hold(error, seconds || Math.min(30, 2.5 * 2 ** ++refusals));
	}

	function hold(error: Error, seconds: number): void {
		const until = Date.now() + seconds * 1000;
		if (held && held.until >= until) return;
		held = { error, until };
		clearTimeout(timer);
		wait(until, looks);
	}

	/** A timer stands still while a laptop sleeps, so the clock is looked at; as that may be wrong, not for ever. */
	function wait(until: number, left: number): void {
		const look = () => (left > 1 && Date.now() < until ? wait(until, left - 1) : release());
		timer = setTimeout(look, Math.min(until - Date.now(), lookMilliseconds));
	}

	function release(): void {
		clearTimeout(timer);
		held = null;
		turn();
	}

	function tell(): void {
		const before = new Map(store.get().items.map((item) => [item.id, item]));
		const items = [...entries.values()].map((entry): UploaderItem => {
			const [item, upload] = [before.get(entry.id), entry.upload.state.get()];
			const hold = holdOf(entry);
			const { told } = entry;
			if (item && told?.upload === upload && told.queued === entry.queued && told.hold === hold) return item;
			entry.told = { upload, queued: entry.queued, hold };
			return { id: entry.id, file: entry.file, state: stateOf(entry) };
		});
		if (items.length === before.size && items.every((item) => before.get(item.id) === item)) return;
		const counted = items.filter(({ state }) => state.status !== "cancelled" && state.status !== "expired");
		const isBusy = items.some(({ state: { status } }) => !isOver(status) && status !== "idle" && status !== "paused");
		if (!isBusy) room = simultaneous;
		if (askBeforeLeaving && isBusy !== store.get().isBusy)
			globalThis[isBusy ? "addEventListener" : "removeEventListener"]?.("beforeunload", ask);
		set({
			items,
			bytesSent: counted.reduce((sum, { state }) => sum + state.bytesSent, 0),
			bytesTotal: counted.reduce((sum, { state }) => sum + state.bytesTotal, 0),
			isBusy,
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
				const entry: Entry = { id: `${++count}`, file, upload, queued: "waiting", refusal: null };
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
		async replace(id) {
			const entry = entries.get(id);
			if (entry?.queued !== "waiting" || !stateOf(entry).canReplace) return;
			const other = [...entries.values()].find(({ upload }) => {
				const { videoId, ended } = upload.state.get();
				return ended === null && videoId === inTheWayOf(entry.refusal);
			});
			await other?.upload.cancel();
			// The person may have paused or cancelled it meanwhile.
			if (entry.queued === "waiting") start(entry, other === undefined);
			release();
		},
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
		close() {
			clearTimeout(timer);
			held = null;
			each(undefined, (entry) => {
				entry.queued = null;
				entry.upload.close();
			});
		},
	};
}

type Entry = {
	readonly id: string;
	readonly file: Blob;
	readonly upload: ReturnType<typeof createUpload>;
	/** Whether it waits for its turn, or was paused before its turn came. */
	queued: "waiting" | "paused" | null;
	/** Why the service did not take it at the last start. */
	refusal: Error | null;
	/** What its item shows. */
	told?: { upload: UploadState; queued: "waiting" | "paused" | null; hold: Hold | null };
};

type Hold = { readonly error: Error; readonly until: number };

/** How often, and how many times, a queue that is held looks at the clock. After that hour it asks the service again. */
const [lookMilliseconds, looks] = [30_000, 120];

/** The refusals that end by themselves, at a time that the service says. */
const limits = ["rate_limited", "upload_quota_exceeded", "too_many_incomplete_uploads"] as const;

/**
 * How many seconds the service takes nothing more after an error: null if it does not say, as long as another upload is
 * pending; undefined if waiting does not help.
 */
function secondsToHold(error: Error | null): number | null | undefined {
	if (isReelmillError(error, "concurrent_upload_exists")) return null;
	const limit = limits.find((code) => isReelmillError(error, code));
	return limit && secondsUntilRetry(undefined, (error as { extras?: { retryAfter?: unknown } }).extras?.retryAfter);
}

function isInitiated({ upload, refusal }: Entry): boolean {
	const { videoId, ended } = upload.state.get();
	return videoId !== null && ended === null && refusal === null;
}

/** The same file is sent once more when it has been sent, or is no longer on its way. */
function isBefore(one: Entry, other: Entry): boolean {
	const { status } = one.upload.state.get();
	const isOnItsWay = one.queued !== null || (status !== "idle" && !isOver(status));
	return isOnItsWay && !isInitiated(other) && Number(one.id) < Number(other.id) && isSameFile(one.file, other.file);
}

function isSameFile(one: Blob, other: Blob): boolean {
	if (!(one instanceof File && other instanceof File)) return one === other;
	return one.name === other.name && one.lastModified === other.lastModified && one.size === other.size;
}

const isSending = ({ upload }: Entry): boolean => {
	const { status, inOtherTab } = upload.state.get();
	return !inOtherTab && (status === "preparing" || status === "uploading" || status === "retrying");
};
