import type { Store, Uploader, UploadState } from "@reelmill/browser/upload";
import { type AwaitedVideo, isOver } from "../base/await-video.ts";
import { createState } from "../base/state.ts";
import { type FileRules, isSame, type Refusal, refusalOf } from "./refusal.ts";

/** A file of the uploader, and what becomes of it. A new object after each change, and the same until then. */
export type UploaderFile = {
	/** Names the file within its uploader. */
	readonly id: string;
	readonly file: File;
	/**
	 * The status of the upload, or
	 * - `ready`: it waits for `start`
	 * - `refused`: it was not added (`refusal` says why)
	 */
	readonly status: UploadState["status"] | "ready" | "refused";
	readonly refusal: Refusal | null;
	/** Bytes, speed, the video's id and the error of the upload; null if it was never started. */
	readonly upload: UploadState | null;
	/** What has become of the uploaded video; null until that is known, and if the element can't ask for it. */
	readonly video: AwaitedVideo | null;
};

/** What the list asks anew for each file that is added. */
export type FileListRules = FileRules & { manual: boolean };

/** The files of an uploader: those that are sent, those that wait for `start`, and those that break a rule. */
export type FileList = {
	readonly state: Store<readonly UploaderFile[]>;
	/**
	 * Adds files and returns their ids. A file that breaks a rule is in the list as `refused`. One that has failed, or was
	 * let go, starts again.
	 */
	add(files: Iterable<File>): readonly string[];
	/** Starts what is ready, paused or has failed. */
	start(id?: string): void;
	pause(id?: string): void;
	/** Sends a file in the place of the upload that it waits for. */
	replace(id: string): Promise<void>;
	/** Takes a file off the list. An upload that has not ended is cancelled. */
	remove(id: string): Promise<void>;
	/** Looks again at what has become of the videos. */
	look(): void;
	/** Follows the uploader no longer. */
	close(): void;
};

type Entry = {
	readonly id: string;
	readonly file: File;
	readonly refusal: Refusal | null;
	uploaderId: string | null;
	isRemoved?: boolean;
};

const over = new Set<UploaderFile["status"]>(["done", "cancelled", "expired", "refused"]);
/** Whether an upload has ended for ever. */
export const isEnded = (status: UploaderFile["status"]): boolean => over.has(status);

/** Whether a file has one of the places that `maxFiles` allows: there is, or may be, a video of it. */
export const isTaken = ({ status, video }: Pick<UploaderFile, "status" | "video">): boolean =>
	!["refused", "cancelled", "expired"].includes(status) && !(video && isOver(video) && !video.outputs);

const hasStopped = (status: UploaderFile["status"]): boolean => status === "ready" || status === "failed";

/**
 * Creates the list of an uploader: its files, and those that wait or are refused. `rules` is asked for added files,
 * `videoOf` for what has become of an uploaded video.
 */
export function createFileList(
	uploader: Uploader,
	rules: () => FileListRules,
	videoOf: (id: string) => AwaitedVideo | null = () => null,
): FileList {
	const entries = new Map<string, Entry>();
	const { store, set } = createState<readonly UploaderFile[]>([]);
	let count = 0;
	let isAdding = false;

	function tell(): void {
		const uploads = new Map(uploader.state.get().items.map((item) => [item.id, item.state]));
		const listed = new Set([...entries.values()].map(({ uploaderId }) => uploaderId));
		// Others may add to the same uploader, and take off its list.
		for (const { id, uploaderId } of entries.values())
			if (uploaderId !== null && !uploads.has(uploaderId)) entries.delete(id);
		for (const { id, file } of isAdding ? [] : uploader.state.get().items)
			if (!listed.has(id)) enter({ file: file as File, refusal: null, uploaderId: id });
		const before = new Map(store.get().map((item) => [item.id, item]));
		const shown = [...entries.values()].filter(({ isRemoved }) => !isRemoved);
		const items = shown.map(({ id, file, refusal, uploaderId }): UploaderFile => {
			const upload = (uploaderId !== null && uploads.get(uploaderId)) || null;
			const isIdle = upload === null || upload.status === "idle";
			const status = refusal ? "refused" : isIdle ? "ready" : upload.status;
			const known = before.get(id);
			const video = status === "done" && upload?.videoId ? videoOf(upload.videoId) : null;
			if (known?.upload === upload && known.status === status && known.video === video) return known;
			return { id, file, status, refusal, upload, video };
		});
		if (items.length !== before.size || items.some((item) => before.get(item.id) !== item)) set(items);
	}
	const stop = uploader.state.subscribe(tell);
	tell();

	function enter(entry: Omit<Entry, "id">): Entry {
		const entered = { ...entry, id: `${++count}` };
		entries.set(entered.id, entered);
		return entered;
	}

	function send(entry: Entry): void {
		isAdding = true;
		const [id] = uploader.add([entry.file]);
		isAdding = false;
		entry.uploaderId = id ?? null;
	}

	function start(id?: string): void {
		for (const item of store.get()) {
			const entry = entries.get(item.id);
			if (!entry || (id !== undefined && item.id !== id)) continue;
			if (item.status === "paused" && entry.uploaderId !== null) uploader.resume(entry.uploaderId);
			if (!hasStopped(item.status)) continue;
			if (entry.uploaderId === null) send(entry);
			else uploader.start(entry.uploaderId);
		}
		tell();
	}

	return {
		state: store,
		add(files) {
			const { manual, ...asked } = rules();
			const added = [...files].map((file) => {
				const twin = store.get().find((item) => isSame(file, item.file) && hasStopped(item.status));
				if (twin && !(manual && twin.status === "ready")) {
					start(twin.id);
					return twin.id;
				}
				const others = store.get().filter(isTaken);
				const refusal = refusalOf(
					file,
					others.map((other) => other.file),
					asked,
				);
				const entry = enter({ file, refusal, uploaderId: null });
				if (!refusal && !manual) send(entry);
				tell();
				return entry.id;
			});
			return added;
		},
		start,
		pause(id) {
			for (const entry of entries.values())
				if (entry.uploaderId !== null && (id === undefined || entry.id === id)) uploader.pause(entry.uploaderId);
		},
		async replace(id) {
			const uploaderId = entries.get(id)?.uploaderId;
			if (uploaderId) await uploader.replace(uploaderId);
		},
		async remove(id) {
			const entry = entries.get(id);
			const status = store.get().find((item) => item.id === id)?.status;
			if (!entry || status === undefined) return;
			const { uploaderId } = entry;
			entry.isRemoved = true;
			tell();
			if (uploaderId !== null) {
				if (!isEnded(status)) await uploader.cancel(uploaderId);
				uploader.remove(uploaderId);
			}
			entries.delete(id);
		},
		look: tell,
		close: stop,
	};
}
