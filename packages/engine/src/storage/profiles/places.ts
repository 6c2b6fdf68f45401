import { ReelmillError, type StoragePlaceList } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../../caches/index.ts";
import type { Parts } from "../../system/index.ts";
import { locationOutOfOrder } from "./view.ts";

/** Counting goes over all of a domain's videos, so it is done once in a while. */
const freshMilliseconds = 30_000;

type PlaceRow = {
	id: string | null;
	is_current: boolean;
	backend: "s3_platform" | "s3_tenant" | null;
	location_id: string | null;
	endpoint: string | null;
	region: string | null;
	bucket: string | null;
	key_prefix: string | null;
	last_error: string | null;
	last_verified_at: Date | null;
	created_at: Date | null;
	videos: string;
	bytes: string;
};

export type Places = {
	/** Lists where a domain's videos lie, the current place first. It is at most 30 s old. */
	list(domainId: string): Promise<StoragePlaceList>;
	/** Forgets what was counted, because the domain chose another place. */
	forget(domainId: string): void;
};

/**
 * The bytes of the current place are what the domain's counter has besides the others: that counter is exact, and the
 * place that is in use is the one with most videos.
 */
export function createPlaces({ database, clock }: Parts): Places {
	const counted = createBriefCache<StoragePlaceList>({ clock, max: 1000, milliseconds: freshMilliseconds });
	const read = async (domainId: string): Promise<StoragePlaceList> => {
		const rows = await database.query<PlaceRow>(sql`
			with domain as (select id, storage_profile_id, storage_bytes from reelmill.domains where id = ${domainId} and deleted_at is null),
			place as (
				select null::uuid as id from domain
				union all select p.id from reelmill.storage_profiles p join domain on p.domain_id = domain.id),
			counted as (
				select v.storage_profile_id as id, count(*) filter (where v.kind = 'video') as videos
				from reelmill.videos v join domain on v.domain_id = domain.id
				where v.deleted_at is null and v.state in ('uploaded', 'queued', 'locked', 'encoding', 'available') group by 1),
			elsewhere as (
				select v.storage_profile_id as id, sum(case when v.state = 'available'
					then (select sum(size::bigint) from jsonb_each_text(v.outputs -> 'files') as file (name, size)) else v.file_size end) as bytes
				from reelmill.videos v join domain on v.domain_id = domain.id
				where v.storage_profile_id is distinct from domain.storage_profile_id and v.deleted_at is null
					and v.state in ('uploaded', 'queued', 'locked', 'encoding', 'available') group by 1)
			select place.id, place.id is not distinct from domain.storage_profile_id as is_current, p.backend, p.location_id, p.endpoint, p.region, p.bucket,
				p.key_prefix, p.last_error, p.last_verified_at, p.created_at, coalesce(c.videos, 0)::text as videos,
				(case when place.id is not distinct from domain.storage_profile_id
					then greatest(0, domain.storage_bytes - coalesce((select sum(bytes) from elsewhere), 0)) else coalesce(e.bytes, 0) end)::text as bytes
			from domain cross join place
			left join reelmill.storage_profiles p on p.id = place.id
			left join counted c on c.id is not distinct from place.id
			left join elsewhere e on e.id is not distinct from place.id
			order by is_current desc, p.created_at desc nulls last`);
		if (rows.length === 0) throw new ReelmillError("unauthorized");
		return {
			data: rows
				.filter(({ is_current, id, videos }) => is_current || id !== null || Number(videos) > 0)
				.map(({ id, backend, videos, bytes, last_error, last_verified_at, created_at, ...place }) => ({
					...place,
					id,
					backend: backend ?? "local",
					region: place.region || null,
					// What a platform's location answered is its operator's alone.
					last_error:
						backend === "s3_platform" && last_error ? locationOutOfOrder(place.location_id ?? "") : last_error,
					last_verified_at: last_verified_at?.toISOString() ?? null,
					created_at: created_at?.toISOString() ?? null,
					videos: Number(videos),
					bytes: Number(bytes),
				})),
		};
	};
	return { list: (domainId) => counted.get(domainId, () => read(domainId)), forget: counted.forget };
}
