import type { CallOptions } from "@reelmill/client";

/** One page of a list, newest first. `next_cursor` is null on the last page. */
export type Page<T> = { data: T[]; next_cursor: string | null };

/** Which page of a list is wanted, and how many rows it has. */
export type PageOptions = CallOptions & {
	/** How many items the page has, 1 to 100 (default: 20). */
	limit?: number;
	/**
	 * `next_cursor` of the previous page, unchanged and with the same filter (default: the newest items). Any other text
	 * is `invalid_cursor`.
	 */
	cursor?: string;
};

type Paging = {
	/** How many items one request fetches, 1 to 100 (default: 20). */
	pageSize?: number;
};
/** A list, newest first: item by item over all pages, or page by page. */
export type Listed<T, Filter = unknown> = {
	list(options?: CallOptions & Filter & Paging): AsyncIterableIterator<T>;
	page(options?: PageOptions & Filter): Promise<Page<T>>;
};

/** Returns the list whose pages `page` fetches. `list` fetches each page when the iteration reaches it. */
export function listed<T, Filter>(page: Listed<T, Filter>["page"]): Listed<T, Filter> {
	return {
		page,
		async *list({ pageSize, ...options } = {} as CallOptions & Filter & Paging) {
			const asked = { ...options, ...(pageSize !== undefined && { limit: pageSize }) } as PageOptions & Filter;
			let cursor: string | null = null;
			do {
				const { data, next_cursor }: Page<T> = await page(cursor === null ? asked : { ...asked, cursor });
				yield* data;
				cursor = next_cursor;
			} while (cursor !== null);
		},
	};
}

/** Makes the query of a page, without undefined values. */
export const pageQuery = ({ limit, cursor }: PageOptions) => ({
	...(limit === undefined ? {} : { limit }),
	...(cursor === undefined ? {} : { cursor }),
});

const ofCall: readonly (keyof CallOptions)[] = [
	"signal",
	"timeoutSeconds",
	"retries",
	"idempotencyKey",
	"onRequest",
	"onResponse",
];

/** Picks the options of a call from an object that has more. */
export const callOf = (options: { readonly [K in keyof CallOptions]?: CallOptions[K] | undefined } = {}): CallOptions =>
	Object.fromEntries(ofCall.map((name) => [name, options[name]]).filter(([, value]) => value !== undefined));
