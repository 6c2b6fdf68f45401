import { hash } from "node:crypto";
import { limits, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { deleteInBatches } from "../retention/index.ts";
import type { Parts } from "../system/index.ts";

/** What an edge must know of a domain, as it is stored. */
export type EdgeState = {
	readonly epoch: number;
	/** The viewers with a revocation in force, each with the place of the revocation. */
	readonly viewers: readonly (readonly [viewerRef: string, order: number])[];
	/** The videos that changed lately, each with a name of its last change. */
	readonly videos: readonly (readonly [videoId: string, change: string])[];
	/** Changes when something changed that `videos` doesn't have. */
	readonly generation: string;
};

export type EdgeStates = {
	/**
	 * Returns the state of a domain, or null if there is none. From the first call on, changes of the domain's videos are
	 * noted; two hours without a call end that.
	 */
	read(domainId: string): Promise<EdgeState | null>;
	/** Deletes notes of changes that no cache can be behind of. */
	reap(): Promise<void>;
};

type Row = Pick<EdgeState, "epoch" | "viewers" | "videos"> & {
	readonly followed_since: Date | null;
	readonly read_at: Date | null;
	readonly drops: number | null;
	readonly cors_origins: readonly string[] | null;
};

/** An edge keeps bytes for a day. */
const keptMilliseconds = 25 * 3_600_000;
const mostVideos = 2000;
const keptVideos = 1000;
/** `note_edge_change` notes for ten minutes longer, so that no server takes for noted what another one doesn't note. */
const followedMilliseconds = 110 * 60_000;
const renewedMilliseconds = 10 * 60_000;
/** A statement that began before the domain was followed, and notes nothing, is over by then. */
const beginningMilliseconds = 60_000;

export function createEdgeStates({ database, clock }: Parts): EdgeStates {
	const select = async (domainId: string): Promise<Row | undefined> => {
		const now = clock.now();
		const revokedSince = new Date(now - limits.playbackKeySeconds.max * 1000);
		const changedSince = new Date(now - keptMilliseconds);
		const [row] = await database.query<Row>(sql`
			select d.playback_epoch as epoch, e.followed_since, e.read_at, e.drops, d.config->'cors_origins' as cors_origins, (
				select coalesce(json_agg(json_build_array(r.viewer_ref, r.revoked_order)), '[]') from reelmill.playback_revocations r
				where r.domain_id = d.id and r.revoked_at > ${revokedSince}) as viewers, (
				select coalesce(json_agg(json_build_array(c.video_id, c.change)), '[]') from (
					select video_id, change from reelmill.edge_changes where domain_id = d.id and changed_at > ${changedSince} limit ${mostVideos + 1}) c) as videos
			from reelmill.domains d left join reelmill.edge_domains e on e.domain_id = d.id where d.id = ${domainId} and d.deleted_at is null`);
		return row;
	};
	const follow = (domainId: string) => {
		const now = new Date(clock.now());
		const over = new Date(clock.now() - followedMilliseconds);
		return database.query(sql`
			insert into reelmill.edge_domains as e (domain_id, followed_since, read_at) select id, ${now}::timestamptz, ${now}::timestamptz from reelmill.domains where id = ${domainId}
			on conflict (domain_id) do update set read_at = greatest(e.read_at, excluded.read_at), followed_since = case when e.read_at > ${over} then e.followed_since else excluded.followed_since end`);
	};
	return {
		async read(domainId) {
			for (let attempt = 0; attempt < 5; attempt++) {
				const row = await select(domainId);
				if (row === undefined) return null;
				const { epoch, viewers, videos, followed_since: since, read_at: readAt, drops, cors_origins: origins } = row;
				const isReadSince = (ageMilliseconds: number) =>
					readAt !== null && readAt.getTime() > clock.now() - ageMilliseconds;
				if (!isReadSince(renewedMilliseconds)) await follow(domainId);
				if (since === null || !isReadSince(followedMilliseconds)) continue;
				if (videos.length > mostVideos) {
					await database.query(
						sql`select reelmill.drop_edge_changes(${domainId}::uuid, ${mostVideos}::integer, ${keptVideos}::integer)`,
					);
					continue;
				}
				const isBeginning = clock.now() < since.getTime() + beginningMilliseconds;
				// An answer is kept with the headers that let pages of these origins read it.
				const readers = origins?.length ? `-${hash("sha256", JSON.stringify(origins), "base64url").slice(0, 8)}` : "";
				const generation = `${since.getTime().toString(36)}-${drops}${readers}${isBeginning ? "-0" : ""}`;
				return { epoch, viewers, videos, generation };
			}
			throw new ReelmillError("internal_error", {
				message: `the videos of domain ${domainId} change too often to be listed`,
			});
		},
		async reap() {
			const oldest = new Date(clock.now() - keptMilliseconds);
			await deleteInBatches(database, sql`reelmill.edge_changes`, sql`changed_at <= ${oldest}`);
		},
	};
}
