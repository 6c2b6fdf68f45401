import type { UploadTicket } from "@reelmill/contracts/types";

/**
 * What a page keeps of a running upload so that a later page can continue it. The token is valid for this upload alone,
 * for an hour.
 */
export type UploadRecord = {
	videoId: string;
	/** The file's name, as `fingerprint` gives it. */
	file: string;
	ticket: UploadTicket;
	/** When it began by this device's clock, which may be days off the service's. */
	began: number;
	/** Missing until the service says that the upload exists. */
	uploadUrl?: string;
};

/** The part of `localStorage` that an upload needs. */
export type StorageLike = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export type UploadRecords = {
	/** The last five that are kept of a file, in the order in which they began. */
	ofFile(file: string): UploadRecord[];
	load(videoId: string): UploadRecord | undefined;
	save(record: UploadRecord): void;
	remove(videoId: string): void;
};

/** Longer than its window, so that its end can be told when the person is back. */
const keptMilliseconds = 86_400_000;

/**
 * Keeps the records of uploads, one for each video. If the storage is full, forbidden or absent, an upload can't be
 * resumed after a reload; nothing else fails. A record in another form is ignored.
 */
export function uploadRecords(storage: StorageLike | null | undefined, prefix: string): UploadRecords {
	const keyOf = (videoId: string) => `${prefix}:${videoId}`;
	const load = (key: string) => attempt(() => parse(place(storage)?.getItem(key)));
	const remove = (videoId: string) => attempt(() => place(storage)?.removeItem(keyOf(videoId)));
	return {
		ofFile(file) {
			const keys = attempt(() => {
				const from = place(storage);
				return Array.from({ length: from?.length ?? 0 }, (_, index) => from?.key(index) ?? "");
			});
			const all = (keys ?? []).filter((key) => key.startsWith(keyOf(""))).flatMap((key) => load(key) ?? []);
			const isOver = ({ began }: UploadRecord) => began + keptMilliseconds < Date.now();
			for (const { videoId } of all.filter(isOver)) remove(videoId);
			return all
				.filter((record) => record.file === file && !isOver(record))
				.sort((one, other) => one.began - other.began)
				.slice(-5);
		},
		load: (videoId) => load(keyOf(videoId)),
		save: (record) =>
			attempt(() => place(storage)?.setItem(keyOf(record.videoId), JSON.stringify({ version: 2, ...record }))),
		remove,
	};
}

/** Finds the storage. If the browser forbids `localStorage`, even reading the property throws. */
const place = (storage: StorageLike | null | undefined): StorageLike | null | undefined =>
	storage === undefined ? globalThis.localStorage : storage;

function attempt<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

function parse(text: string | null | undefined): UploadRecord | undefined {
	const { version, ...record } = JSON.parse(text ?? "{}") as UploadRecord & { version?: number };
	const { endpoint, token, metadata } = record.ticket ?? {};
	const texts = [record.videoId, record.file, endpoint, token, metadata?.video_id];
	return version === 2 && typeof record.began === "number" && texts.every((value) => typeof value === "string")
		? record
		: undefined;
}
