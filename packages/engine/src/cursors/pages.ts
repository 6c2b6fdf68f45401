import { limits, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { KeyRing } from "../secrets/index.ts";
import { createCursors, type Listing } from "./cursors.ts";

/** `cursor` is the `next_cursor` of the page before, or absent for the first page; `limit` is 1 to 100 rows. */
export type PageRequest = { readonly cursor?: string | undefined; readonly limit: number };

export type Pages = {
	/**
	 * Reads one page of a list, newest first by (created_at, id), and returns the cursor to the next page, `null` on the
	 * last. Rows keep their place for ever, so pages stay true while rows come and go: no row appears twice, and no row
	 * is skipped that was there when the first page was read. `read` returns the rows of the statement that ends in
	 * `keyset`: the end of its WHERE, its ORDER BY and LIMIT. It is also told the time of the row that the page comes
	 * after, null for the first page.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` for a limit out of bounds.
	 */
	read<R extends { readonly id: string; readonly created_at: Date }>(
		listing: Listing,
		request: PageRequest,
		read: (keyset: Sql, after: Date | null) => Promise<readonly R[]>,
	): Promise<{ rows: readonly R[]; nextCursor: string | null }>;
	/** Reads one page of a list as `read` does, but oldest first. */
	readOldest: Pages["read"];
};

/** Creates pages whose cursors are signed by `keys`. */
export function createPages(keys: KeyRing): Pages {
	const cursors = createCursors(keys);
	const inOrder =
		(comes: Sql, order: Sql): Pages["read"] =>
		async (listing, { cursor, limit }, read) => {
			if (!Number.isInteger(limit) || limit < 1 || limit > limits.pageSize.max) {
				throw new ReelmillError("validation_error", {
					message: `limit: must be an integer from 1 to ${limits.pageSize.max}`,
				});
			}
			const position = cursor === undefined ? null : cursors.verify(listing, cursor);
			const at = position === null ? null : new Date(position.createdAt);
			const after = position === null ? sql`` : sql`and (created_at, id) ${comes} (${at}, ${position.id})`;
			const found = await read(sql`${after} order by created_at ${order}, id ${order} limit ${limit + 1}`, at);
			const rows = found.slice(0, limit);
			const last = rows.at(-1);
			const nextCursor =
				found.length > limit && last
					? cursors.sign(listing, { createdAt: last.created_at.getTime(), id: last.id })
					: null;
			return { rows, nextCursor };
		};
	return { read: inOrder(sql`<`, sql`desc`), readOldest: inOrder(sql`>`, sql`asc`) };
}
