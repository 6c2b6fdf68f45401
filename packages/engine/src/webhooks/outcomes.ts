import type { DeliveryAttempt, WebhookDelivery } from "@reelmill/contracts";
import sql, { empty } from "sql-template-tag";
import { type Parts, untilDone } from "../system/index.ts";
import type { Exchange } from "./exchange.ts";

/** A delivery as it was leased: by these values the outcome of its attempt is written. */
export type Attempted = {
	readonly id: string;
	readonly created_at: Date;
	readonly leased_until: Date;
	readonly attempt_count: number;
	readonly attempts_left: number;
	readonly replays_owed: number;
};

/** Writes the outcomes of attempts to the log. */
export type Outcomes = {
	/**
	 * Writes an outcome, and what follows from it: another attempt on the schedule, or none. With it what was sent and
	 * came back, `null` if nothing was sent; that of the delivery's last 20 attempts is kept. Returns what becomes of
	 * the delivery; `null` if the lease was lost, or an earlier statement wrote it and its answer was lost. What fails is
	 * repeated for 5 s; then it rejects, and the attempt is made again once the lease has run out.
	 */
	write(due: Attempted, entry: DeliveryAttempt, exchange: Exchange | null): Promise<WebhookDelivery["status"] | null>;
};

type Waiting = {
	readonly due: Attempted;
	readonly outcome: object;
	resolve(status: WebhookDelivery["status"] | null): void;
	reject(error: unknown): void;
};

const largestBatch = 256;
const keptExchanges = 20;
const patienceMilliseconds = 5000;

/**
 * Outcomes that come while a statement runs are written together by the next statement. The busier the server, the
 * fewer statements an attempt costs.
 */
export function createOutcomes(
	{ database, clock, random }: Parts,
	{ schedule }: { schedule: readonly number[] },
): Outcomes {
	let waiting: Waiting[] = [];
	let writing = false;

	/**
	 * A delivery that arrived once stays delivered, whatever its replays come to. An attempt that was leased while a
	 * replay was owed counts as that replay. Replays that were granted since then stay owed.
	 */
	const outcomeOf = (
		{ id, leased_until, attempts_left, replays_owed }: Attempted,
		entry: DeliveryAttempt,
		exchange: Exchange | null,
	) => {
		const now = clock.now();
		const delivered = entry.error === null;
		const isReplay = replays_owed > 0;
		const left = delivered ? 0 : attempts_left - (isReplay ? 0 : 1);
		const status = delivered ? "delivered" : left > 0 ? "pending" : "failed";
		const wait = schedule[schedule.length - left] ?? schedule.at(-1) ?? 0;
		const next_at = status === "pending" ? new Date(now + wait * 1000 * (0.9 + 0.2 * random.fraction())) : null;
		return { id, leased_until, entry, exchange, left, status, next_at, replays: isReplay ? 1 : 0, now: new Date(now) };
	};

	const writeAll = (attempts: readonly Waiting[]): Promise<{ id: string; status: WebhookDelivery["status"] }[]> => {
		const outcomes = attempts.map(({ outcome }) => outcome);
		const times = attempts.map(({ due }) => due.created_at.getTime());
		// They say in which days' partitions the deliveries are. The database knows microseconds.
		const [first, end] = [new Date(Math.min(...times)), new Date(Math.max(...times) + 1)];
		const mayTrim = attempts.some(({ due }) => due.attempt_count >= keptExchanges);
		const trimmed = sql`
			trimmed as (delete from reelmill.webhook_exchanges e using written
				where e.delivery_id = written.id and e.created_at = written.created_at and e.attempt <= written.attempt_count - ${keptExchanges}::integer)`;
		return database.query<{ id: string; status: WebhookDelivery["status"] }>(sql`
			with written as (
			update reelmill.webhook_deliveries w set attempts = w.attempts || jsonb_build_array(o.entry), attempt_count = w.attempt_count + 1,
				attempts_left = o."left", replays_owed = w.replays_owed - o.replays, leased_until = null,
				status = case when w.replays_owed > o.replays then 'pending' when w.delivered_at is not null then 'delivered' else o.status end,
				next_attempt_at = case when w.replays_owed > o.replays then o.now else o.next_at end,
				delivered_at = case when o.status = 'delivered' then o.now else w.delivered_at end
			from jsonb_to_recordset(${outcomes}::jsonb) as o
				(id uuid, leased_until timestamptz, entry jsonb, exchange jsonb, "left" integer, status text, next_at timestamptz, replays integer, now timestamptz)
			where w.id = o.id and w.leased_until = o.leased_until and w.created_at >= ${first} and w.created_at < ${end}
			returning w.id, w.created_at, w.attempt_count, w.status, o.exchange)${mayTrim ? sql`, ${trimmed}` : empty},
			kept as (
			insert into reelmill.webhook_exchanges (delivery_id, created_at, attempt, url, request_headers, response_headers, response_body, response_truncated)
			select id, created_at, attempt_count, exchange ->> 'url', exchange -> 'request_headers', nullif(exchange -> 'response_headers', 'null'),
				decode(exchange ->> 'response_body', 'base64'), (exchange ->> 'response_truncated')::boolean
			from written where exchange ->> 'url' is not null)
			select id, status from written`);
	};

	const run = async (): Promise<void> => {
		writing = true;
		while (waiting.length > 0) {
			const batch = waiting.slice(0, largestBatch);
			waiting = waiting.slice(largestBatch);
			try {
				const written = await untilDone(clock, patienceMilliseconds, () => writeAll(batch));
				const statuses = new Map(written.map(({ id, status }) => [id, status]));
				for (const { due, resolve } of batch) resolve(statuses.get(due.id) ?? null);
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
		}
		writing = false;
	};

	return {
		write: (due, entry, exchange) =>
			new Promise((resolve, reject) => {
				waiting.push({ due, outcome: outcomeOf(due, entry, exchange), resolve, reject });
				// The statement waits until all outcomes of this turn of the event loop have come.
				if (!writing) {
					writing = true;
					setImmediate(run);
				}
			}),
	};
}
