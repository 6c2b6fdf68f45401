import { type Chunk, type Chunks, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Parts } from "../../system/index.ts";
import { chunkFolder, discardMoments, type VideoRecord } from "../../videos/index.ts";
import { isUnlocked } from "./chunk-claims.ts";

export type ChunkOffers = {
	/**
	 * Creates the chunks of this attempt and returns their ids in order. A second call returns the ids of the first. The
	 * same chunks that an earlier attempt finished are this attempt's, and are done; other ones of it are given up.
	 *
	 * @throws {ReelmillError} `invalid_video_state` when the lock was lost meanwhile, or for an outro.
	 */
	offer(video: VideoRecord, lock: string, chunks: readonly Chunk[]): Promise<string[]>;
	/**
	 * Returns the state of this attempt's chunks. With `take`, it first gives the caller, who has the video's lock, a
	 * chunk that nobody encodes. It takes the last one, because other workers begin with the first. The chunk's lock is
	 * the video's then, so that the caller may store what it made for the attempts after this one.
	 */
	next(videoId: string, lock: string, take: boolean): Promise<Chunks>;
	/**
	 * Deletes chunks whose attempt was ended by a server of a version that didn't know chunks, and notes their files for
	 * deletion.
	 */
	removeOrphans(): Promise<void>;
};

export function createChunkOffers({ database, clock, random }: Parts): ChunkOffers {
	return {
		/**
		 * The statement also raises the video's version. A change that ends the attempt must therefore know of the chunks,
		 * and ends them as well.
		 */
		async offer({ id, storage_profile_id: profileId }, lock, chunks) {
			const ids = chunks.map(() => random.uuid());
			const offered = sql`unnest(${[...chunks]}::jsonb[]) with ordinality as one (plan, number)`;
			const isHeld = sql`exists (select from reelmill.jobs j where j.id = ${id} and j.lock = ${lock})`;
			const now = new Date(clock.now());
			const due = discardMoments({ kind: "outputs", reference: "" }, profileId, now);
			await database.query(sql`
				with given_up as (
					delete from reelmill.chunks c where c.video_id = ${id} and c.parent_lock <> ${lock} and ${isHeld}
						and not exists (select from ${offered} where one.number = c.number and one.plan = c.plan) returning ${chunkFolder(sql`c`)} as folder)
				insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
				select 'outputs', g.folder, ${profileId}::uuid, ${now}::timestamptz, due.moment from given_up g, (values ${due}) as due (moment)`);
			const [held] = await database.query(sql`
				with held as (
					select v.id, v.domain_id, j.rank from reelmill.videos v join reelmill.jobs j on j.id = v.id
					where v.id = ${id} and v.kind = 'video' and v.state in ('locked', 'encoding') and v.deleted_at is null and j.lock = ${lock} for update of v, j),
				known as (update reelmill.videos v set version = v.version + 1 from held where v.id = held.id returning v.id),
				kept as (update reelmill.chunks c set parent_lock = ${lock} from held where c.video_id = held.id and c.parent_lock <> ${lock} returning c.id),
				marked as (update reelmill.jobs j set chunked = true, cut = ${chunks.length + 1}::integer from held where j.id = held.id returning j.id),
				added as (
					insert into reelmill.chunks (id, video_id, domain_id, rank, parent_lock, number, plan, created_at)
					select one.id, held.id, held.domain_id, held.rank, ${lock}::uuid, one.number, one.plan, ${now}::timestamptz
					from held, unnest(${ids}::uuid[], ${[...chunks]}::jsonb[]) with ordinality as one (id, plan, number)
					on conflict (video_id, number) do nothing returning id)
				select id from held`);
			if (held === undefined) throw new ReelmillError("invalid_video_state");
			const made = await database.query<{ id: string }>(
				sql`select id from reelmill.chunks where video_id = ${id} and parent_lock = ${lock} order by number`,
			);
			return made.map((chunk) => chunk.id);
		},
		async next(videoId, lock, take) {
			const now = new Date(clock.now());
			const ofAttempt = sql`c.video_id = ${videoId} and c.parent_lock = ${lock}`;
			const [taken] = take
				? await database.query<{ id: string }>(sql`
					update reelmill.chunks c set state = 'taken', lock = ${lock}, lock_expires_at = null, delivery = null where c.id in (
						select c.id from reelmill.chunks c where ${ofAttempt} and (${isUnlocked(now)} or c.state = 'failed')
						order by c.number desc limit 1 for update skip locked)
					returning c.id`)
				: [];
			const data = await database.query<Chunks["data"][number]>(
				sql`select c.id, c.state, c.progress, c.files from reelmill.chunks c where ${ofAttempt} order by c.number`,
			);
			return { taken: taken?.id ?? null, data };
		},
		async removeOrphans() {
			await database.query(sql`
				with orphans as (
					delete from reelmill.chunks c where not exists (
						select from reelmill.jobs j where j.id = c.video_id and (j.lock = c.parent_lock or c.state = 'done')) returning c.video_id, ${chunkFolder(sql`c`)} as folder)
				insert into reelmill.deletions (kind, reference, storage_profile_id, created_at)
				select distinct 'outputs', o.folder, v.storage_profile_id, ${new Date(clock.now())}::timestamptz
				from orphans o join reelmill.videos v on v.id = o.video_id`);
		},
	};
}
