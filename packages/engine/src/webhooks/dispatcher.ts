import type { DeliveryAttempt } from "@reelmill/contracts";
import { signWebhook } from "@reelmill/webhooks";
import sql from "sql-template-tag";
import type { Clock, Database, Logger, Random, WebhookTransport } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";

type Due = {
	id: string;
	body: Uint8Array;
	attempt_count: number;
	attempts_left: number;
	replays_owed: number;
	leased_until: Date;
	url: string | null;
	webhook_secret: string | null;
	previous_webhook_secret: string | null;
	previous_webhook_secret_expires_at: Date | null;
};

export type Dispatcher = {
	/** Sends what is due now, and answers how many attempts were made. Many servers at once share the work: each delivery is leased to one. */
	sendDue(): Promise<number>;
};

const batch = 32;
/** Longer than an attempt may take, so that an attempt's outcome is written before another server tries. */
const leaseMilliseconds = 60_000;

/**
 * The outbox's sender. An attempt goes to the URL that is in force then; the bytes are those rendered when the event happened.
 * `schedule` is the wait in seconds before each attempt, ±10 %.
 */
export function createDispatcher({
	database,
	clock,
	random,
	logger,
	transport,
	sealer,
	schedule,
	userAgent,
}: {
	database: Database;
	clock: Clock;
	random: Random;
	logger: Logger;
	transport: WebhookTransport;
	sealer: Sealer;
	schedule: readonly number[];
	userAgent: string;
}): Dispatcher {
	const lease = (): Promise<Due[]> => {
		const now = new Date(clock.now());
		return database.query<Due>(sql`
			with due as (
				select id from reelmill.webhook_deliveries
				where status = 'pending' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})
				order by next_attempt_at limit ${batch} for update skip locked)
			update reelmill.webhook_deliveries w set leased_until = ${new Date(now.getTime() + leaseMilliseconds)}, url = coalesce(d.config ->> 'webhook_url', w.url)
			from due, reelmill.domains d where w.id = due.id and d.id = w.domain_id
			returning w.id, w.body, w.attempt_count, w.attempts_left, w.replays_owed, w.leased_until, d.config ->> 'webhook_url' as url,
				d.webhook_secret, d.previous_webhook_secret, d.previous_webhook_secret_expires_at`);
	};

	const attempt = async (due: Due): Promise<void> => {
		const startedAt = clock.now();
		const result =
			due.url === null || due.webhook_secret === null
				? { status: null, error: "webhook_not_configured" }
				: await transport.send({ url: due.url, body: due.body, headers: await headersOf(due, due.webhook_secret) });
		const entry: DeliveryAttempt = {
			attempted_at: new Date(startedAt).toISOString(),
			response_status: result.status,
			duration_ms: Math.max(0, Math.round(clock.now() - startedAt)),
			error: result.error,
		};
		await settle(due, entry);
		if (result.error !== null) logger.info({ deliveryId: due.id, attempt: due.attempt_count + 1, error: result.error }, "a webhook attempt failed");
	};

	const headersOf = async (due: Due, secret: string): Promise<Record<string, string>> => {
		const now = clock.now();
		const previous =
			due.previous_webhook_secret !== null && (due.previous_webhook_secret_expires_at?.getTime() ?? 0) > now ? [due.previous_webhook_secret] : [];
		const secrets = [secret, ...previous].map((sealed) => sealer.open(sealed));
		return {
			"content-type": "application/json",
			"user-agent": userAgent,
			"service-delivery-id": due.id,
			"service-signature": await signWebhook({ payload: due.body, secrets, timestamp: Math.floor(now / 1000) }),
		};
	};

	/** An attempt leased while a replay was owed is that replay's; what was granted since stays owed, whatever the outcome. */
	const settle = async (due: Due, entry: DeliveryAttempt): Promise<void> => {
		const now = clock.now();
		const delivered = entry.error === null;
		const isReplay = due.replays_owed > 0;
		const left = delivered ? 0 : due.attempts_left - (isReplay ? 0 : 1);
		const status = delivered ? "delivered" : left > 0 ? "pending" : "failed";
		const wait = schedule[schedule.length - left] ?? schedule.at(-1) ?? 0;
		const nextAt = status === "pending" ? new Date(now + wait * 1000 * (0.9 + 0.2 * random.fraction())) : null;
		const owed = sql`replays_owed - ${isReplay ? 1 : 0}::integer`;
		await database.query(sql`
			update reelmill.webhook_deliveries set attempts = attempts || jsonb_build_array(${entry}::jsonb), attempt_count = attempt_count + 1,
				attempts_left = ${left}, replays_owed = ${owed}, leased_until = null,
				status = case when ${owed} > 0 then 'pending' else ${status} end,
				next_attempt_at = case when ${owed} > 0 then ${new Date(now)}::timestamptz else ${nextAt}::timestamptz end,
				delivered_at = case when ${delivered}::boolean then ${new Date(now)}::timestamptz else delivered_at end
			where id = ${due.id} and leased_until = ${due.leased_until}`);
	};

	return {
		async sendDue() {
			const leased = await lease();
			const outcomes = await Promise.allSettled(leased.map(attempt));
			for (const outcome of outcomes) if (outcome.status === "rejected") logger.error({ error: outcome.reason }, "a webhook attempt could not be recorded");
			return leased.length;
		},
	};
}
