import { ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/** The right to write one upload, which one request at a time holds. */
export type UploadLease = {
	/** Gives the upload back to others. It rejects if the database can't be told: then the lease runs out. */
	release(): Promise<void>;
};

/**
 * The right of one server to append to an upload: a row that its server renews, and that others take over when it
 * expires.
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

const leaseSeconds = 3;
const renewMilliseconds = 1000;
/**
 * How soon a holder hears that it is asked. With the waiter's own pause, a HEAD behind a half-open PATCH waits less
 * than 100 ms.
 */
const askedMilliseconds = 40;
const waitMilliseconds = 20;

type Held = { readonly videoId: string; readonly onAsked: () => void };

export function createUploadLeases({ database, clock, random, logger }: Parts): UploadLeases {
	const held = new Map<string, Held>();
	let watching = false;

	/**
	 * Takes the lease, or takes it over if it has expired; otherwise asks its holder to let go. Returns whether it is
	 * ours.
	 */
	const tryToTake = async (videoId: string, lock: string): Promise<boolean> => {
		const [row] = await database.query<{ lock: string }>(sql`
			insert into reelmill.upload_leases as l (video_id, lock, asked, expires_at) values (${videoId}, ${lock}, false, now() + make_interval(secs => ${leaseSeconds}))
			on conflict (video_id) do update set
				lock = case when l.expires_at <= now() then excluded.lock else l.lock end,
				expires_at = case when l.expires_at <= now() then excluded.expires_at else l.expires_at end,
				asked = l.expires_at > now()
			where l.expires_at <= now() or not l.asked
			returning l.lock`);
		return row?.lock === lock;
	};
	const release = async (videoId: string, lock: string): Promise<void> => {
		await database.query(sql`delete from reelmill.upload_leases where video_id = ${videoId} and lock = ${lock}`);
	};

	/** Looks after all leases of this process, in one statement a round. */
	const lookAfter = async (renew: boolean): Promise<void> => {
		const locks = [...held.keys()];
		const ids = [...held.values()].map(({ videoId }) => videoId);
		const ours = sql`video_id = any(${ids}::uuid[]) and lock = any(${locks}::uuid[])`;
		const rows = await database.query<{ lock: string; asked: boolean }>(
			renew
				? sql`update reelmill.upload_leases set expires_at = now() + make_interval(secs => ${leaseSeconds}) where ${ours} returning lock, asked`
				: sql`select lock, asked from reelmill.upload_leases where ${ours}`,
		);
		const asked = new Map(rows.map((row) => [row.lock, row.asked]));
		for (const lock of locks) if (asked.get(lock) ?? true) held.get(lock)?.onAsked();
	};
	const watch = async (): Promise<void> => {
		if (watching) return;
		watching = true;
		let renewedAt = clock.elapsed();
		while (held.size > 0) {
			await clock.sleep(askedMilliseconds);
			const now = clock.elapsed();
			const renew = now - renewedAt >= renewMilliseconds;
			try {
				if (held.size > 0) await lookAfter(renew);
				if (renew) renewedAt = now;
			} catch (error) {
				logger.warn({ error }, "the leases of running uploads could not be renewed");
				await clock.sleep(renewMilliseconds);
			}
		}
		watching = false;
	};

	return {
		async take(videoId, { onAsked, signal }) {
			const lock = random.uuid();
			signal.throwIfAborted();
			while (!(await tryToTake(videoId, lock))) {
				await clock.sleep(waitMilliseconds, signal);
				signal.throwIfAborted();
			}
			if (signal.aborted) {
				await release(videoId, lock);
				throw signal.reason;
			}
			held.set(lock, { videoId, onAsked });
			void watch();
			return {
				async release() {
					if (held.delete(lock)) await release(videoId, lock);
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
			await database.query(sql`delete from reelmill.upload_leases where expires_at < now() - interval '1 minute'`);
		},
	};
}
