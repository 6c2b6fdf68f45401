import { ReelmillError } from "@reelmill/contracts";
import sql, { empty } from "sql-template-tag";
import { DatabaseError } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";

/** The right to write one upload, which one request at a time holds. */
export type UploadLease = {
	/**
	 * Gives the upload back to others. It never rejects: if the database can't be told now, it is told as soon as it can
	 * be, and others get the lease then, or when this server's leases run out.
	 */
	release(): Promise<void>;
};

/**
 * The right of one server to append to an upload: a row that lasts as long as its server lives, and that others take
 * over then. The rows are not in PostgreSQL's log. If it crashes, they are lost: every holder then stops, its client
 * asks for the offset and goes on, and nobody writes before all of them have stopped.
 */
export type UploadLeases = {
	/**
	 * Takes the lease of the upload; resolves when nobody else, on any server, holds it. The present holder is asked to
	 * let go, and loses the lease once its server has said nothing for 3 s. `onAsked` is called, perhaps more than once,
	 * when somebody else asks for the lease and when it was lost. Rejects with the reason of `signal`.
	 */
	take(videoId: string, request: { readonly onAsked: () => void; readonly signal: AbortSignal }): Promise<UploadLease>;
	/**
	 * Confirms that a lease that this process took still holds: otherwise what was written may not be acknowledged.
	 *
	 * @throws {ReelmillError} `bad_request` with status 409 when somebody else has the upload by now.
	 */
	confirm(videoId: string): Promise<void>;
	/** Removes what killed servers left behind, for the sweeper. */
	forgetEnded(): Promise<void>;
};

/** A server that has said nothing for so long has lost its leases. */
const aliveSeconds = 3;
const renewMilliseconds = 1000;
/**
 * How soon a holder hears that it is asked. With the waiter's own pause, a HEAD behind a half-open PATCH waits less
 * than 100 ms.
 */
const askedMilliseconds = 40;
const waitMilliseconds = 20;
const retryMilliseconds = 250;
/** How long nobody gets a lease after the tables were lost. Each holder looks at its row more often than that. */
const lostSeconds = 1.5;
/** The row that tells since when the leases have been kept: a crash of PostgreSQL empties their tables. */
const keptSince = "00000000-0000-0000-0000-000000000000";

/** SQL: whether the holder of lease `l` may still write. */
const isHeld = sql`exists (select from reelmill.upload_servers s where s.id = l.server and s.alive_until > now())`;
/** SQL: how many uploads are written to at this moment. */
export const uploadsRunning = sql`(select count(*) from reelmill.upload_leases l where ${isHeld})`;

type Held = { readonly videoId: string; readonly onAsked: () => void };

export function createUploadLeases({ database, clock, random, logger }: Parts): UploadLeases {
	const held = new Map<string, Held>();
	/** The locks that statements under way may bring. */
	const coming = new Set<string>();
	/** The locks that nobody has any more but in the database, perhaps, and their uploads. */
	const left = new Map<string, string>();
	/** The row of this process, whose leases last as long as it is renewed. */
	const server = random.uuid();
	let watching = false;
	/** When this process last began to renew its row with success, by its steady time. */
	let renewedAt = Number.NEGATIVE_INFINITY;

	const renewed = sql`
		insert into reelmill.upload_servers (id, since, alive_until) values (${server}, now(), now() + make_interval(secs => ${aliveSeconds}))
		on conflict (id) do update set alive_until = excluded.alive_until`;
	/**
	 * Takes the lease, or takes it over if its server is gone; otherwise asks its holder to let go. Returns whether it is
	 * ours. After a crash of PostgreSQL nobody gets a lease until everyone who had one has found that out.
	 */
	const tryToTake = async (videoId: string, lock: string): Promise<boolean> => {
		const asked = clock.elapsed();
		const mustRenew = held.size === 0 && asked - renewedAt >= renewMilliseconds;
		const [row] = await database.query<{ lock: string }>(sql`
			with kept as (
				insert into reelmill.upload_servers (id, since, alive_until) values (${keptSince}, now(), 'infinity') on conflict (id) do nothing)
			${mustRenew ? sql`, alive as (${renewed})` : empty}
			insert into reelmill.upload_leases as l (video_id, lock, server, asked)
			select ${videoId}::uuid, ${lock}::uuid, ${server}::uuid, false
			where exists (select from reelmill.upload_servers where id = ${keptSince} and since <= now() - make_interval(secs => ${lostSeconds}))
			on conflict (video_id) do update set
				lock = case when ${isHeld} then l.lock else excluded.lock end,
				server = case when ${isHeld} then l.server else excluded.server end,
				asked = ${isHeld}
			where not l.asked or not (${isHeld})
			returning l.lock`);
		if (mustRenew) renewedAt = asked;
		return row?.lock === lock;
	};
	const remove = async (lock: string, videoId: string): Promise<void> => {
		await database.query(sql`delete from reelmill.upload_leases where video_id = ${videoId} and lock = ${lock}`);
		left.delete(lock);
	};
	/** A row that can't be removed now is removed later: otherwise it would live as long as its server. */
	const letGo = async (lock: string, videoId: string): Promise<void> => {
		held.delete(lock);
		await remove(lock, videoId).catch((error: unknown) => {
			logger.warn({ error, videoId }, "the lease of an upload could not be given back yet");
			left.set(lock, videoId);
			void watch();
		});
	};

	/** Renews the row of this process. If that came too late, or the row was lost, it looks which leases are left. */
	const renew = async (): Promise<void> => {
		const begunAt = clock.elapsed();
		const locks = [...held.keys()];
		const [row] = await database.query<{ is_new: boolean }>(sql`${renewed} returning xmax = 0 as is_new`);
		const isUnbroken = row?.is_new === false && clock.elapsed() - renewedAt < aliveSeconds * 1000;
		if (!isUnbroken) {
			const ours = await database.query<{ lock: string }>(
				sql`select lock from reelmill.upload_leases where lock = any(${locks}::uuid[])`,
			);
			const left = new Set(ours.map(({ lock }) => lock));
			for (const lock of locks) if (!left.has(lock)) held.get(lock)?.onAsked();
		}
		renewedAt = begunAt;
	};
	const tellAsked = async (): Promise<void> => {
		const rows = await database.query<{ lock: string; video_id: string }>(
			sql`select lock, video_id from reelmill.upload_leases where server = ${server} and asked`,
		);
		for (const { lock, video_id } of rows) {
			held.get(lock)?.onAsked();
			// A statement that was given up has taken effect after all.
			if (!held.has(lock) && !coming.has(lock)) left.set(lock, video_id);
		}
	};
	/** Whether the database may have rows of this process that count. Without a held lease, they soon count no more. */
	const isWatched = (): boolean =>
		held.size + coming.size > 0 || (left.size > 0 && clock.elapsed() - renewedAt < aliveSeconds * 1000);
	/** Looks after all leases of this process. What that costs doesn't grow with their number. */
	const watch = async (): Promise<void> => {
		if (watching) return;
		watching = true;
		let triedAt = clock.elapsed();
		while (isWatched()) {
			await clock.sleep(askedMilliseconds);
			try {
				for (const [lock, videoId] of left) await remove(lock, videoId);
				if (held.size + coming.size > 0) await tellAsked();
				if (held.size > 0 && clock.elapsed() - triedAt >= renewMilliseconds) {
					triedAt = clock.elapsed();
					await renew();
				}
			} catch (error) {
				logger.warn({ error }, "the leases of running uploads could not be renewed");
				await clock.sleep(retryMilliseconds);
				triedAt = Number.NEGATIVE_INFINITY;
			}
		}
		watching = false;
	};

	return {
		async take(videoId, { onAsked, signal }) {
			const lock = random.uuid();
			signal.throwIfAborted();
			for (const [own, id] of left) if (id === videoId) await remove(own, id);
			coming.add(lock);
			void watch();
			try {
				while (!(await tryToTake(videoId, lock))) {
					await clock.sleep(waitMilliseconds, signal);
					signal.throwIfAborted();
				}
				held.set(lock, { videoId, onAsked });
			} catch (error) {
				if (error instanceof DatabaseError && error.outcomeUnknown) left.set(lock, videoId);
				throw error;
			} finally {
				coming.delete(lock);
			}
			if (signal.aborted) {
				await letGo(lock, videoId);
				throw signal.reason;
			}
			return {
				async release() {
					if (held.has(lock)) await letGo(lock, videoId);
				},
			};
		},
		async confirm(videoId) {
			const locks = [...held].filter(([, lease]) => lease.videoId === videoId).map(([lock]) => lock);
			if (locks.length === 0) return;
			const rows = await database.query(
				sql`select from reelmill.upload_leases where video_id = ${videoId} and lock = any(${locks}::uuid[])`,
			);
			if (rows.length > 0) return;
			throw new ReelmillError("bad_request", {
				status: 409,
				message: "Another request has gone on with this upload: ask for its offset.",
			});
		},
		async forgetEnded() {
			await database.query(sql`
				with gone as (delete from reelmill.upload_servers where alive_until < now() - interval '1 minute')
				delete from reelmill.upload_leases l
				where not exists (select from reelmill.upload_servers s where s.id = l.server and s.alive_until >= now() - interval '1 minute')`);
		},
	};
}
