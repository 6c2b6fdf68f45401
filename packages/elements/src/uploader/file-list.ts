import {
	createUploader,
	type Store,
	type Uploader,
	type UploaderOptions,
	type UploadState,
} from "@reelmill/browser/upload";
import { createState } from "../base/state.ts";
import { type FileRules, type Refusal, refusalOf } from "./refusal.ts";

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
};

/** What the list asks anew for each file that is added. */
export type FileListRules = FileRules & { manual: boolean };

/** The files of an uploader: those that are sent, those that wait for `start`, and those that break a rule. */
export type FileList = {
	readonly state: Store<readonly UploaderFile[]>;
	/** Adds files and returns their ids. A file that breaks a rule is in the list as `refused`. */
	add(files: Iterable<File>): readonly string[];
	/** Starts what is ready, paused or has failed. */
	start(id?: string): void;
	pause(id?: string): void;
	/** Takes a file off the list. An upload that has not ended is cancelled. */
	remove(id: string): Promise<void>;
	/** Lets go of all uploads without ending them; `start` continues them. */
	close(): void;
};

type Entry = { readonly id: string; readonly file: File; readonly refusal: Refusal | null; uploaderId: string | null };

const over = new Set<UploaderFile["status"]>(["done", "cancelled", "expired", "refused"]);
/** Whether an upload has ended for ever. */
export const isEnded = (status: UploaderFile["status"]): boolean => over.has(status);

/** Creates the list of an uploader. `rules` is asked when files are added. */
export function createFileList(options: UploaderOptions, rules: () => FileListRules): FileList {
	const uploader: Uploader = createUploader(options);
	const entries = new Map<string, Entry>();
	const { store, set } = createState<readonly UploaderFile[]>([]);
	let count = 0;

	function tell(): void {
		const uploads = new Map(uploader.state.get().items.map((item) => [item.id, item.state]));
		const before = new Map(store.get().map((item) => [item.id, item]));
		const items = [...entries.values()].map(({ id, file, refusal, uploaderId }): UploaderFile => {
			const upload = (uploaderId !== null && uploads.get(uploaderId)) || null;
			const isIdle = upload === null || upload.status === "idle";
			const status = refusal ? "refused" : isIdle ? "ready" : upload.status;
			const known = before.get(id);
			return known?.upload === upload && known.status === status ? known : { id, file, status, refusal, upload };
		});
		if (items.length !== before.size || items.some((item) => before.get(item.id) !== item)) set(items);
	}
	uploader.state.subscribe(tell);

	function send(entry: Entry): void {
		const [id] = uploader.add([entry.file]);
		entry.uploaderId = id ?? null;
	}

	return {
		state: store,
		add(files) {
			const { manual, ...asked } = rules();
			const added = [...files].map((file) => {
				const others = store.get().filter(({ status }) => !["refused", "cancelled", "expired"].includes(status));
				const refusal = refusalOf(
					file,
					others.map((other) => other.file),
					asked,
				);
				const entry: Entry = { id: `${++count}`, file, refusal, uploaderId: null };
				entries.set(entry.id, entry);
				if (!refusal && !manual) send(entry);
				tell();
				return entry.id;
			});
			return added;
		},
		start(id) {
			for (const item of store.get()) {
				const entry = entries.get(item.id);
				if (!entry || (id !== undefined && item.id !== id)) continue;
				if (item.status === "paused" && entry.uploaderId !== null) uploader.resume(entry.uploaderId);
				if (item.status !== "ready" && item.status !== "failed") continue;
				if (entry.uploaderId === null) send(entry);
				else uploader.start(entry.uploaderId);
			}
			tell();
		},
		pause(id) {
			for (const entry of entries.values())
				if (entry.uploaderId !== null && (id === undefined || entry.id === id)) uploader.pause(entry.uploaderId);
		},
		async remove(id) {
			const entry = entries.get(id);
			const status = store.get().find((item) => item.id === id)?.status;
			if (!entry || status === undefined) return;
			entries.delete(id);
			const { uploaderId } = entry;
			tell();
			if (uploaderId === null) return;
			if (!isEnded(status)) await uploader.cancel(uploaderId);
			uploader.remove(uploaderId);
		},
		close: () => uploader.close(),
	};
}
