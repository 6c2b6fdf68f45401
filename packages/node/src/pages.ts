/** One page of a list, newest first; `next_cursor` is null on the last. */
export type Page<T> = { data: T[]; next_cursor: string | null };

export type PageOptions = {
	/** Items of the page, 1..100; 20 unless told. */
	limit?: number;
	/**
	 * `next_cursor` of the page before, verbatim and with the same filter; another one is `invalid_cursor`. Without it
	 * the newest come.
	 */
	cursor?: string;
	signal?: AbortSignal;
};

/** Goes over all pages, fetching each when it is reached; leaving the iteration early fetches no more. */
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

/** What a page's query sends; what is undefined is left out of the address. */
export const pageQuery = ({ limit, cursor }: PageOptions) => ({
	...(limit === undefined ? {} : { limit }),
	...(cursor === undefined ? {} : { cursor }),
});

/** A call's options out of an object that holds more. */
export const signalOf = ({ signal }: { signal?: AbortSignal | undefined } = {}): { signal?: AbortSignal } =>
	signal ? { signal } : {};
