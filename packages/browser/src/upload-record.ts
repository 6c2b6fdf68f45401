import type { UploadTicket } from "@reelmill/contracts";

/**
 * What a page keeps of a running upload so that a later page can go on with it. The token is good for this one upload
 * only, and for an hour.
 */
export type UploadRecord = {
	videoId: string;
	ticket: UploadTicket;
	/** Missing until the server has said that the upload exists. */
	uploadUrl?: string;
};

/** The part of `localStorage` that is used. */
export type StorageLike = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export type UploadRecords = { load(): UploadRecord | undefined; save(record: UploadRecord): void; remove(): void };

/**
 * The record of one file. A storage that is full, forbidden or absent costs the resuming after a reload and nothing
 * else; what is stored in another form counts as nothing.
 */
export function uploadRecords(storage: StorageLike | null | undefined, key: string): UploadRecords {
	return {
		load: () => attempt(() => parse(place(storage)?.getItem(key))),
		save: (record) => attempt(() => place(storage)?.setItem(key, JSON.stringify({ version: 1, ...record }))),
		remove: () => attempt(() => place(storage)?.removeItem(key)),
	};
}

/** Reading `localStorage` itself throws where the browser forbids it. */
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
