import { mostCounted, type VideoCounts, type VideoState, videoStates } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Scope } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

/** Counts the videos that a scope may see, without deleted ones, by state: at most `mostCounted` of each. */
export type CountVideos = (scope: Scope) => Promise<VideoCounts>;

/**
 * Creates the counts. Each state is counted in the index of its rows alone, up to one row more than is told, so that
 * the time it takes is bounded. That index holds the assets of outros too: there are few of them, and they are taken
 * off.
 */
export const createCountVideos =
	({ database }: Parts): CountVideos =>
	async ({ domainId, sessionId }) => {
		const ofSession = sql`select state, count(*) as count from reelmill.videos
			where session_id = ${sessionId}::uuid and domain_id = ${domainId} and kind = 'video' and deleted_at is null group by state`;
		const ofDomain = sql`
			with outros as materialized (
				select state, count(*) as count from reelmill.videos where domain_id = ${domainId} and kind = 'outro' and deleted_at is null group by state)
			select s.state, c.count - coalesce(o.count, 0) as count from unnest(${videoStates}::text[]) s (state) left join outros o on o.state = s.state,
				lateral (select count(*) as count from (select from reelmill.videos v where v.domain_id = ${domainId} and v.state = s.state and v.deleted_at is null
					limit ${mostCounted + 1} + coalesce(o.count, 0)) counted) c`;
		const rows = await database.query<{ state: VideoState; count: number }>(sessionId === null ? ofDomain : ofSession);
		const counts = new Map(rows.map(({ state, count }) => [state, count]));
		const data = videoStates.map((state) => {
			const count = counts.get(state) ?? 0;
			return { state, count: Math.min(count, mostCounted), more: count > mostCounted };
		});
		return { data };
	};
