import type { CreateImport, Import, ImportStatus } from "@reelmill/contracts";

/** What is said of the video; the origin's answer adds size and type. Title and values are the video's once it is there. */
export type ImportInput = Omit<CreateImport, "url">;

export type ImportRow = {
	readonly id: string;
	readonly domain_id: string;
	readonly status: ImportStatus;
	/** Sealed; `null` once the import has ended. */
	readonly url: string | null;
	readonly shown_url: string;
	readonly input: ImportInput;
	readonly request_id: string | null;
	readonly content_type: string | null;
	readonly file_size: number | null;
	readonly validator: string | null;
	readonly video_id: string | null;
	readonly bytes_received: number;
	readonly run: string | null;
	readonly not_before: Date;
	readonly attempts: number;
	readonly failure_code: string | null;
	readonly failure_message: string | null;
	readonly created_at: Date;
	readonly updated_at: Date;
	readonly ended_at: Date | null;
};

/** What is shown of an import, with its video's title. */
export type ShownImport = ImportRow & { readonly title: string | null };

/** Returns an import as it is before anything was fetched. */
export const newImport = (
	row: Pick<ImportRow, "id" | "domain_id" | "url" | "shown_url" | "input" | "request_id">,
	now: Date,
): ImportRow => ({
	...row,
	status: "waiting",
	content_type: null,
	file_size: null,
	validator: null,
	video_id: null,
	bytes_received: 0,
	run: null,
	not_before: now,
	attempts: 0,
	failure_code: null,
	failure_message: null,
	created_at: now,
	updated_at: now,
	ended_at: null,
});

export const viewImport = (row: ImportRow & Partial<ShownImport>): Import => ({
	id: row.id,
	status: row.status,
	url: row.shown_url,
	video_id: row.video_id,
	external_ref: row.input.external_ref ?? null,
	title: row.title ?? row.input.title ?? null,
	bytes_received: row.bytes_received,
	file_size: row.file_size,
	failure: row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? "" },
	created_at: row.created_at.toISOString(),
	updated_at: row.updated_at.toISOString(),
	next_attempt_at: row.status === "waiting" ? row.not_before.toISOString() : null,
});

/** Returns what is shown of an address: neither query nor fragment, user name or password. */
export function shownAddress(address: string): string {
	const { origin, pathname } = new URL(address);
	return origin + pathname;
}
