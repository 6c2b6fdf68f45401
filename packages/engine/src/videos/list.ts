import type { Video, VideoState } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { publicPlaceColumn, type VideoRecord } from "./record.ts";
import { type FileUrl, viewVideo } from "./view.ts";

export type VideoPage = { data: Video[]; next_cursor: string | null };
export type ListVideos = (
	principal: TenantPrincipal,
	request: PageRequest & { readonly state?: VideoState | undefined },
) => Promise<VideoPage>;

/**
 * Creates the list of videos. Each filter has an index that holds exactly its rows in the list's order, so a page reads
 * as many rows as it returns, however many there are.
 */
export function createListVideos(
	{ database }: Parts,
	{ pages, fileUrl }: { pages: Pages; fileUrl: FileUrl },
): ListVideos {
	return async (principal, { state, ...request }) => {
		const listing = { route: "listVideos", scope: principal, filter: state ?? null } as const;
		const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
			database.query<VideoRecord>(sql`
				with page as (
					select * from reelmill.videos where domain_id = ${principal.domainId} and kind = 'video' and deleted_at is null
					${principal.sessionId === null ? sql`` : sql`and session_id = ${principal.sessionId}`}
					${state === undefined ? sql`` : sql`and state = ${state}`} ${keyset})
				select page.*, to_jsonb(j) as job, ${publicPlaceColumn(sql`page`)} from page left join reelmill.jobs j on j.id = page.id
					left join reelmill.storage_profiles p on p.id = page.storage_profile_id order by page.created_at desc, page.id desc`),
		);
		return { data: rows.map((record) => viewVideo(record, fileUrl)), next_cursor: nextCursor };
	};
}
