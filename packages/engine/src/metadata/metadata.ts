import { isDeepStrictEqual } from "node:util";
import { isUuidV4, ReelmillError, type UpdateMetadata, type VideoMetadata } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, engineActor } from "../audit/index.ts";
import type { Scope, TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { type AfterChange, metadataOf, type VideoRecord, type VideoStore } from "../videos/index.ts";

/** What tenants call their videos, and say of them by keys of their own. */
export type Metadata = {
	/**
	 * Returns the title and the values of a video, whatever its state.
	 *
	 * @throws {ReelmillError} `video_not_found`, for another tenant's video too.
	 */
	get(principal: TenantPrincipal, videoId: string): Promise<VideoMetadata>;
	/**
	 * Sets the title and all values of a video, and returns them; a `video.updated` tells of it. If that is what it has,
	 * nothing is written or told. Of two calls at once the later one holds, as a whole.
	 *
	 * @throws {ReelmillError} `video_not_found`, for another tenant's video too.
	 */
	set(principal: TenantPrincipal, videoId: string, metadata: UpdateMetadata, by?: Actor): Promise<VideoMetadata>;
};

export function createMetadata(
	{ database }: Parts,
	{ store, afterChange }: { store: VideoStore; afterChange: AfterChange },
): Metadata {
	const read = async ({ domainId, sessionId }: Scope, videoId: string): Promise<VideoMetadata> => {
		if (!isUuidV4(videoId)) throw new ReelmillError("video_not_found");
		const [row] = await database.query<{ metadata: VideoMetadata }>(sql`
			select ${metadataOf(sql`v.id`)} as metadata from reelmill.videos v where v.id = ${videoId} and v.kind = 'video' and v.deleted_at is null
				and v.domain_id = ${domainId} and (${sessionId}::uuid is null or v.session_id = ${sessionId}::uuid)`);
		if (row === undefined) throw new ReelmillError("video_not_found");
		return row.metadata;
	};
	return {
		get: read,
		async set(principal, videoId, { title, values }, by = engineActor) {
			const metadata = { video_id: videoId, title, values };
			if (isDeepStrictEqual(await read(principal, videoId), metadata)) return metadata;
			const saved = await store.change(
				videoId,
				(record) => ({
					updates: ["metadata"],
					parts: [titlePart(record, title), ...valueParts(record, values)],
					// Nobody reads the log of sandbox sessions.
					...(principal.kind !== "sandbox" && { audited: { action: "video.metadata_changed", by } }),
				}),
				principal,
			);
			if (saved === null) throw new ReelmillError("video_not_found");
			await afterChange(saved);
			return metadata;
		},
	};
}

const titlePart = ({ domain_id: domainId }: VideoRecord, title: string | null): Sql =>
	title === null
		? sql`untitled as (delete from reelmill.video_titles where video_id in (select id from saved))`
		: sql`titled as (
			insert into reelmill.video_titles (video_id, domain_id, title) select s.id, ${domainId}::uuid, ${title}::text from saved s
			on conflict (video_id) do update set title = excluded.title where video_titles.title <> excluded.title)`;

/** Values that stay as they are, are not written. */
const valueParts = (
	{ domain_id: domainId, created_at: createdAt }: VideoRecord,
	values: UpdateMetadata["values"],
): Sql[] => [
	sql`unset as (
		delete from reelmill.video_values where video_id in (select id from saved) and not ${values}::jsonb ? key)`,
	sql`set as (
		insert into reelmill.video_values (video_id, key, value, domain_id, created_at)
		select s.id, e.key, e.value, ${domainId}::uuid, ${createdAt}::timestamptz from saved s, jsonb_each_text(${values}::jsonb) e
		on conflict (video_id, key) do update set value = excluded.value where video_values.value <> excluded.value)`,
];
