import type { UploadTicket } from "@reelmill/contracts/types";

/**
 * What a page keeps of a running upload so that a later page can continue it. The token is valid for this upload alone,
 * for an hour.
 */
export type UploadRecord = {
	videoId: string;
	ticket: UploadTicket;
	/** Missing until the service says that the upload exists. */
	uploadUrl?: string;
};

/** The part of `localStorage` that an upload needs. */
export type StorageLike = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export type UploadRecords = { load(): UploadRecord | undefined; save(record: UploadRecord): void; remove(): void };

/**
 * Keeps the record of one file. If the storage is full, forbidden or absent, the upload can't be resumed after a
 * reload; nothing else fails. A record in another form is ignored.
 */
export function uploadRecords(storage: StorageLike | null | undefined, key: string): UploadRecords {
	return {
		load: () => attempt(() => parse(place(storage)?.getItem(key))),
		save: (record) => attempt(() => place(storage)?.setItem(key, JSON.stringify({ version: 1, ...record }))),
		remove: () => attempt(() => place(storage)?.removeItem(key)),
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
	const whole =
		version === 1 && [record.videoId, endpoint, token, metadata?.video_id].every((value) => typeof value === "string");
	return whole ? record : undefined;
}
