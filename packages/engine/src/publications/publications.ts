import { isReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBackoff, createLoop, type Loop, type Pulse, type Reaper } from "../background/index.ts";
import { hasPublicAddress, type PlatformLocation, publishedPrefix, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { type Discard, noteDiscard } from "../videos/index.ts";
import { type Copied, copyFiles } from "./copies.ts";

/**
 * Copies public videos to where anyone may read them at their bucket's own address; also videos that were public before
 * the bucket had one. The database itself notes with each change of a video what is to be copied and what is to be
 * removed again (`reelmill.follow_publicity`). The reaper removes.
 */
export type Publications = {
	/** Copies what is due, in the background. Wake it when a video may have become public. */
	readonly loop: Loop;
	/** Copies all that is due now; resolves when it is copied, or has failed and is to be tried again later. */
	drain(): Promise<void>;
	/** Begins no further copy, also not by the loop. Resolves when the copies that run have ended. */
	stop(): Promise<void>;
};

type Due = Copied & { readonly storage_profile_id: string; readonly attempts: number };

/** How many videos one server copies at once, and how many of them in one bucket. */
const videosAtOnce = 16;
const inOneBucket = 2;
/** Longer than a few copies take. If the server is killed meanwhile, another one begins anew after this time. */
const leaseMilliseconds = 60_000;
/**
 * So long after an edit its copies are begun. Edges may be 5 s behind, and one may be the bucket's public address: it would
 * give old bytes under the new copies' addresses, to be kept for a day. Of several edits, only the last one is copied.
 */
const settlingMilliseconds = 6000;
/** The pulse wakes the loop when something is due. By itself the loop looks this often, if a beat was missed. */
const unwokenMilliseconds = 60_000;
const firstRetryMilliseconds = 5000;
const lastRetryMilliseconds = 3_600_000;

export function createPublications(
	{ database, clock, logger }: Parts,
	{
		stores,
		locations,
		reaper,
		pulse,
	}: {
		stores: Stores;
		locations: readonly PlatformLocation[];
		reaper: Reaper;
		pulse: Pulse;
	},
): Publications {
	/** Its own, not the reaper's: a bucket that refuses copies may well take deletions. */
	const backoff = createBackoff(clock);
	const running = new Map<Promise<void>, string>();
	let isStopping = false;
	const after = (milliseconds: number): Date => new Date(clock.now() + milliseconds);

	/** Videos that became public last come first: the others have waited for long, and are served all the same. */
	const lease = (): Promise<Due[]> => {
		const now = new Date(clock.now());
		const busy = [...backoff.held(), ...running.values()];
		return database.query<Due>(sql`
			with due as (
				select b.id from reelmill.storage_profiles p, lateral (
					select w.id from reelmill.publications w join reelmill.videos v on v.id = w.video_id
					where w.storage_profile_id = p.id and w.copied_at is null and w.not_before <= ${now}
						and (v.updated_at <= ${after(-settlingMilliseconds)} or v.outputs ->> 'edit' is null)
					order by w.not_before desc limit ${inOneBucket} for update of w skip locked) b
				where ${hasPublicAddress(locations)} and p.id <> all(${busy}::uuid[]) limit ${videosAtOnce - running.size})
			update reelmill.publications b set begun_at = coalesce(b.begun_at, ${now}), attempts = b.attempts + 1, not_before = ${after(leaseMilliseconds)}
			from due, reelmill.videos v where b.id = due.id and v.id = b.video_id
			returning b.video_id, b.id, b.storage_profile_id, b.attempts, v.outputs`);
	};

	/** Moves the moment from which another server may try. Returns false if the publication was withdrawn. */
	const postpone = async (id: string, milliseconds: number): Promise<boolean> =>
		(
			await database.query(
				sql`update reelmill.publications set not_before = ${after(milliseconds)} where id = ${id} returning id`,
			)
		).length > 0;

	/** Returns `null` once all is copied, otherwise after how many milliseconds to try again. */
	const publish = async (due: Due): Promise<number | null> => {
		const { id, video_id: videoId, storage_profile_id: profileId, attempts } = due;
		try {
			const { outputs } = await stores.of(profileId);
			const isWhole = await copyFiles(outputs, due, async () => !isStopping && (await postpone(id, leaseMilliseconds)));
			if (!isWhole) return 0;
			await database.query(sql`update reelmill.publications set copied_at = ${new Date(clock.now())} where id = ${id}`);
			backoff.worked(profileId);
			return null;
		} catch (error) {
			logger.warn(
				{ error, videoId, profileId },
				"a public video could not be copied to its bucket's public folder yet",
			);
			if (isReelmillError(error, "storage_unavailable")) backoff.failed(profileId);
			return Math.min(firstRetryMilliseconds * 2 ** (attempts - 1), lastRetryMilliseconds);
		}
	};

	/** A publication that was withdrawn and removed meanwhile may have got copies since: they are removed once more. */
	const attempt = async (due: Due): Promise<void> => {
		const wait = await publish(due);
		if (await postpone(due.id, wait ?? 0)) return;
		const late: Discard = { kind: "outputs", reference: publishedPrefix(due.video_id, due.id) };
		await database.query(noteDiscard(late, due.storage_profile_id, new Date(clock.now())));
		await reaper.sweepWithdrawn(due.storage_profile_id);
	};

	/**
	 * Starts to copy what is due, as far as there is room, and returns how many videos. Several servers share the work;
	 * what fails is tried again.
	 */
	const start = async (): Promise<number> => {
		if (isStopping || running.size >= videosAtOnce) return 0;
		const leased = await lease();
		for (const due of leased) {
			const run: Promise<void> = attempt(due)
				.catch((error: unknown) =>
					logger.warn({ error, videoId: due.video_id }, "a publication waits for its lease to end"),
				)
				.finally(() => {
					running.delete(run);
					loop.wake();
				});
			running.set(run, due.storage_profile_id);
		}
		return leased.length;
	};
	const work = async () => (await start()) > 0;
	const loop = createLoop({ clock, logger }, { name: "publications", work, intervalMilliseconds: unwokenMilliseconds });
	pulse.ask({
		question: () =>
			sql`exists (select from reelmill.publications where copied_at is null and not_before <= ${new Date(clock.now())})`,
		answered: (isTrue) => isTrue && loop.wake(),
	});
	const idle = async () => void (await Promise.all(running.keys()));

	return {
		loop,
		async drain() {
			while (await work()) await idle();
		},
		async stop() {
			isStopping = true;
			await loop.stop();
			await idle();
		},
	};
}
