import sql, { empty, type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import { asksForUpdates } from "../videos/index.ts";
import type { Slots } from "./slots.ts";

/** A delivery that this server has leased, and what an attempt needs. */
export type Due = {
	id: string;
	created_at: Date;
	domain_id: string;
	body: Uint8Array;
	attempt_count: number;
	attempts_left: number;
	replays_owed: number;
	leased_until: Date;
	url: string | null;
	asks_for_updates: boolean;
	webhook_secret: string | null;
	previous_webhook_secret: string | null;
	previous_webhook_secret_expires_at: Date | null;
	video_id: string;
	/** Of its video; null if that is gone. */
	request_id: string | null;
	/** The same, only asked for if traces are recorded. */
	traceparent?: string | null;
};

/** Deliveries of the last two days, or all others: those come up seldom, and lie in many partitions. */
type Age = "recent" | "earlier";

/** Leases deliveries that are due. */
export type Leases = {
	/**
	 * Leases at most `room` deliveries of this age that are due, to this server alone, and returns them. It takes them
	 * domain by domain, and goes on where it ended the last time.
	 */
	take(age: Age, room: number, slots: Pick<Slots, "left" | "each">): Promise<Due[]>;
};

const recentMilliseconds = 2 * 86_400_000;
/** Clocks of servers may differ. */
const aheadMilliseconds = 86_400_000;
/** How many domains one statement looks at. The next statement begins after them. */
const domainsAtOnce = 1000;
/**
 * Longer than an attempt may take, so that its outcome is written before another server tries. If the server is killed
 * meanwhile, the delivery waits this long.
 */
const leaseMilliseconds = 20_000;
const firstDomain = "00000000-0000-0000-0000-000000000000";

/** SQL: whether `created_at` of the row is of this age. The planner sees in it which partitions it can leave out. */
export function isOfAge(age: Age, row: Sql, now: number): Sql {
	const [from, to] = [new Date(now - recentMilliseconds), new Date(now + aheadMilliseconds)];
	return age === "recent"
		? sql`${row}.created_at >= ${from} and ${row}.created_at < ${to}`
		: sql`(${row}.created_at < ${from} or ${row}.created_at >= ${to})`;
}

export function createLeases({ database, clock, tracer }: Parts): Leases {
	/** The domains after which the next statements begin. */
	const after: Record<Age, string> = { recent: firstDomain, earlier: firstDomain };
	return {
		/**
		 * The statement finds each domain with pending deliveries by one probe of an index of each partition, however many
		 * deliveries the domain has.
		 */
		async take(age, room, slots) {
			const now = new Date(clock.now());
			const ofAge = isOfAge(age, sql`w`, now.getTime());
			const pending = sql`select w.domain_id from reelmill.webhook_deliveries w where w.status = 'pending' and ${ofAge}`;
			const leased = await database.query<Due>(sql`
				with recursive domain (id, n) as (
					(select p.domain_id, 1 from (${pending} and w.domain_id > ${after[age]} order by w.domain_id limit 1) p)
					union all
					select next.domain_id, n + 1 from domain, lateral (${pending} and w.domain_id > domain.id order by w.domain_id limit 1) next where n < ${domainsAtOnce}),
				due as (
					select w.id, w.created_at from domain, lateral (
						select w.id, w.created_at from reelmill.webhook_deliveries w
						where w.domain_id = domain.id and w.status = 'pending' and ${ofAge} and w.next_attempt_at <= ${now} and (w.leased_until is null or w.leased_until <= ${now})
						order by w.next_attempt_at limit coalesce((${slots.left()}::jsonb ->> domain.id::text)::integer, ${slots.each})
						for update skip locked) w
					limit ${room})
				update reelmill.webhook_deliveries w set leased_until = ${new Date(now.getTime() + leaseMilliseconds)}, url = coalesce(d.config ->> 'webhook_url', w.url)
				from due, reelmill.domains d where w.id = due.id and w.created_at = due.created_at and ${ofAge} and d.id = w.domain_id
				returning w.id, w.domain_id, w.video_id, w.created_at, w.body, w.attempt_count, w.attempts_left, w.replays_owed, w.leased_until, d.config ->> 'webhook_url' as url, ${asksForUpdates(sql`d`)} as asks_for_updates,
					d.webhook_secret, d.previous_webhook_secret, d.previous_webhook_secret_expires_at,
					${ofVideo(sql`request_id`)} ${tracer === undefined ? empty : sql`, ${ofVideo(sql`traceparent`)}`}`);
			const last = leased
				.map(({ domain_id }) => domain_id)
				.sort()
				.at(-1);
			after[age] = leased.length === room && last !== undefined ? last : firstDomain;
			return leased;
		},
	};
}

/** A column of the video of delivery `w`, looked up for each row that was leased. */
const ofVideo = (column: Sql): Sql =>
	sql`(select v.${column} from reelmill.videos v where v.id = w.video_id) as ${column}`;
