import type { Database } from "@reelmill/engine";

/**
 * `count` videos of a domain, a millisecond apart, the last one new at `newest`: one in ten available, twenty in all
 * failed, the others expired.
 */
export async function seedVideos(
	database: Database,
	domainId: string,
	count: number,
	newest = Date.parse("2026-01-01T00:00:00.000Z"),
): Promise<void> {
	await database.query({
		text: `insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan, max_duration_seconds, transcript_status,
				created_at, updated_at, expires_at)
			select gen_random_uuid(), $1::uuid, case when i % greatest($2::integer / 20, 2) = 1 then 'failed' when i % 10 = 0 then 'available' else 'expired' end, 'private', 'video/mp4', 10,
				'{"renditions": ["h264_720"], "outputs": {"hls": true}}', 180, 'disabled', at, at, at
			from generate_series(1, $2::integer) i, lateral (select $3::timestamptz - ($2::integer - i) * interval '1 millisecond') t (at)`,
		values: [domainId, count, new Date(newest)],
	});
	await database.query({ text: "analyze reelmill.videos", values: [] });
}
