import type { Video, VideoState } from "@reelmill/contracts";
import sql, { empty, type Sql } from "sql-template-tag";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { readShown, type ShownRow, selectShown } from "./record.ts";
import { selectFound } from "./search.ts";
import { type FileUrl, viewShown } from "./view.ts";

export type VideoPage = { data: Video[]; next_cursor: string | null };
/** What a listed video must be, each only if it is given. References are compared exactly, all but by `search`. */
export type VideoFilter = {
	readonly state?: VideoState | undefined;
	readonly external_ref?: string | undefined;
	readonly uploader_ref?: string | undefined;
	/** Its id (from 8 characters on), its `external_ref` or its `uploader_ref` begins so, in any case of letters. */
	readonly search?: string | undefined;
};
export type ListVideos = (principal: TenantPrincipal, request: PageRequest & VideoFilter) => Promise<VideoPage>;

/**
 * Returns the text that a cursor is bound to. Of a state alone it is what it always was, so that cursors outlive an
 * update.
 */
function filterOf({ state, external_ref, uploader_ref, search }: VideoFilter): string | null {
	if (external_ref === undefined && uploader_ref === undefined && search === undefined) return state ?? null;
	return JSON.stringify([
		state ?? null,
		external_ref ?? null,
		uploader_ref ?? null,
		...(search === undefined ? [] : [search]),
	]);
}

/**
 * Creates the list of videos. Each filter but `search` has an index that holds its rows in the list's order, so a page
 * of one filter reads as many rows as it returns, however many there are.
 */
export function createListVideos(
	{ database }: Parts,
	{ pages, fileUrl }: { pages: Pages; fileUrl: FileUrl },
): ListVideos {
	return async (principal, { state, external_ref, uploader_ref, search, ...request }) => {
		const filter = filterOf({ state, external_ref, uploader_ref, search });
		const listing = { route: "listVideos", scope: principal, filter } as const;
		const is = (column: Sql, value: string | undefined): Sql =>
			value === undefined ? empty : sql`and ${column} = ${value}`;
		const all = sql`
			domain_id = ${principal.domainId} and kind = 'video' and deleted_at is null
			${is(sql`session_id`, principal.sessionId ?? undefined)}
			${is(sql`state`, state)} ${is(sql`external_ref`, external_ref)} ${is(sql`uploader_ref`, uploader_ref)}`;
		const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
			database.query<ShownRow & { id: string; created_at: Date }>(sql`
				with page as (
					${search === undefined ? sql`select * from reelmill.videos where ${all} ${keyset}` : selectFound(search, { domainId: principal.domainId, all, keyset })})
				${selectShown(sql`v.id, v.created_at`, sql`page`)} order by v.created_at desc, v.id desc`),
		);
		return { data: rows.map((row) => viewShown(readShown(row), fileUrl)), next_cursor: nextCursor };
	};
}
