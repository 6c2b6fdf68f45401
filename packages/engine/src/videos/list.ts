import type { ListedVideo, VideoMetadata, VideoState } from "@reelmill/contracts";
import sql, { empty, type Sql } from "sql-template-tag";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { metadataOf } from "./metadata-of.ts";
import { readShown, type ShownRow, selectShown } from "./record.ts";
import { selectFound } from "./search.ts";
import { selectValued } from "./valued.ts";
import { type FileUrl, viewShown } from "./view.ts";

export type VideoPage = { data: ListedVideo[]; next_cursor: string | null };
/** What a listed video must be, each only if it is given. All is compared exactly, but by `search`. */
export type VideoFilter = {
	readonly state?: VideoState | undefined;
	readonly external_ref?: string | undefined;
	readonly uploader_ref?: string | undefined;
	/** Its title, id (from 8 characters on), `external_ref` or `uploader_ref` begins so, in any case of letters. */
	readonly search?: string | undefined;
	/** Its metadata has `metadata_value` under this key. One is given with the other. */
	readonly metadata_key?: string | undefined;
	readonly metadata_value?: string | undefined;
};
/** `include` adds each video's title and values. */
export type VideoListing = PageRequest & VideoFilter & { readonly include?: "metadata" | undefined };
export type ListVideos = (principal: TenantPrincipal, request: VideoListing) => Promise<VideoPage>;

/**
 * Returns the text that a cursor is bound to. Of a state alone it is what it always was, so that cursors outlive an
 * update.
 */
function filterOf(filter: VideoFilter): string | null {
	const { state, external_ref, uploader_ref, search, metadata_key, metadata_value } = filter;
	const references = [external_ref ?? null, uploader_ref ?? null];
	const later = metadata_key === undefined ? [] : [metadata_key, metadata_value];
	const searched = search === undefined && later.length === 0 ? [] : [search ?? null];
	if (searched.length === 0 && references.every((one) => one === null)) return state ?? null;
	return JSON.stringify([state ?? null, ...references, ...searched, ...later]);
}

/**
 * Creates the list of videos. Each filter but `search` has an index that holds its rows in the list's order, so a page
 * of one filter reads as many rows as it returns, however many there are.
 */
export function createListVideos(
	{ database }: Parts,
	{ pages, fileUrl }: { pages: Pages; fileUrl: FileUrl },
): ListVideos {
	return async (principal, { limit, cursor, include, ...filter }) => {
		const { state, external_ref, uploader_ref, search, metadata_key, metadata_value } = filter;
		const listing = { route: "listVideos", scope: principal, filter: filterOf(filter) } as const;
		const { domainId } = principal;
		const valued =
			metadata_key === undefined || metadata_value === undefined
				? null
				: { domainId, key: metadata_key, value: metadata_value };
		const is = (column: Sql, value: string | undefined): Sql =>
			value === undefined ? empty : sql`and ${column} = ${value}`;
		const all = sql`
			domain_id = ${domainId} and kind = 'video' and deleted_at is null
			${is(sql`session_id`, principal.sessionId ?? undefined)}
			${is(sql`state`, state)} ${is(sql`external_ref`, external_ref)} ${is(sql`uploader_ref`, uploader_ref)}`;
		const columns = sql`v.id, v.created_at ${include === undefined ? empty : sql`, ${metadataOf(sql`v.id`)} as metadata`}`;
		const pageOf = (keyset: Sql): Sql => {
			if (search !== undefined) return selectFound(search, { domainId, valued, all, keyset });
			return valued === null
				? sql`select * from reelmill.videos where ${all} ${keyset}`
				: selectValued(valued, { all, keyset });
		};
		const { rows, nextCursor } = await pages.read(listing, { limit, cursor }, (keyset) =>
			database.query<ShownRow & { id: string; created_at: Date; metadata?: VideoMetadata }>(sql`
				with page as (
					${pageOf(keyset)})
				${selectShown(columns, sql`page`)} order by v.created_at desc, v.id desc`),
		);
		const data = rows.map(({ metadata, ...row }) => ({
			...viewShown(readShown(row), fileUrl),
			...(metadata && { metadata }),
		}));
		return { data, next_cursor: nextCursor };
	};
}
