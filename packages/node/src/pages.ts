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

/** Yields the items of all pages. Each page is fetched when the iteration reaches it. */
export async function* itemsOf<T>(
	fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
	let cursor: string | undefined;
	do {
		const page = await fetchPage(cursor);
		yield* page.data;
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
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
