import type { DeliveryAttempt } from "@reelmill/contracts";
import sql, { empty } from "sql-template-tag";
import type { Span, WebhookAnswer, WebhookResult, WebhookTransport } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import { createOutcomes } from "./outcomes.ts";
import { createSlots } from "./slots.ts";

type Due = {
	id: string;
	domain_id: string;
	body: Uint8Array;
	attempt_count: number;
	attempts_left: number;
	replays_owed: number;
	leased_until: Date;
	url: string | null;
	webhook_secret: string | null;
	previous_webhook_secret: string | null;
	previous_webhook_secret_expires_at: Date | null;
	/** Only asked for if traces are recorded. */
	video_id?: string;
	traceparent?: string | null;
};

export type Dispatcher = {
	/**
	 * Starts attempts of deliveries that are due, as many as there is room for, and returns how many. Many servers share
	 * the work: each delivery is leased to one.
	 */
	start(): Promise<number>;
	/** Resolves when no attempt of this server runs. */
	idle(): Promise<void>;
};

/** How many domains one statement looks at. The next statement begins after them. */
const domainsAtOnce = 1000;
/**
 * Longer than an attempt may take, so that its outcome is written before another server tries. If the server is killed
 * meanwhile, the delivery waits this long.
 */
const leaseMilliseconds = 20_000;
const firstDomain = "00000000-0000-0000-0000-000000000000";

/**
 * Sends the deliveries of the outbox. An attempt goes to the domain's URL of that moment, with the bytes that were
 * rendered when the event happened. `schedule` is the wait in seconds before each attempt, ±10 %.
 */
export function createDispatcher(
	parts: Parts,
	{
		transport,
		sealer,
		schedule,
		userAgent,
		onRoom,
	}: {
		transport: WebhookTransport;
		sealer: Sealer;
		schedule: readonly number[];
		userAgent: string;
		/** Called when attempts have ended and others may start. */
		onRoom: () => void;
	},
): Dispatcher {
	const { database, clock, logger, observer, tracer } = parts;
	const slots = createSlots({ clock });
	const outcomes = createOutcomes(parts, { schedule });
	const running = new Set<Promise<void>>();
	/** The domain after which the next statement begins. */
	let after = firstDomain;

	/**
	 * Leases deliveries that are due. The statement finds each domain with pending deliveries by one probe of the index,
	 * however many deliveries the domain has.
	 */
	const lease = async (room: number): Promise<Due[]> => {
		const now = new Date(clock.now());
		const pending = sql`select w.domain_id from reelmill.webhook_deliveries w where w.status = 'pending'`;
		const leased = await database.query<Due>(sql`
			with recursive domain (id, n) as (
				(select p.domain_id, 1 from (${pending} and w.domain_id > ${after} order by w.domain_id limit 1) p)
				union all
				select next.domain_id, n + 1 from domain, lateral (${pending} and w.domain_id > domain.id order by w.domain_id limit 1) next where n < ${domainsAtOnce}),
			due as (
				select w.id from domain, lateral (
					select d.id from reelmill.webhook_deliveries d
					where d.domain_id = domain.id and d.status = 'pending' and d.next_attempt_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now})
					order by d.next_attempt_at limit coalesce((${slots.left()}::jsonb ->> domain.id::text)::integer, ${slots.each})
					for update skip locked) w
				limit ${room})
			update reelmill.webhook_deliveries w set leased_until = ${new Date(now.getTime() + leaseMilliseconds)}, url = coalesce(d.config ->> 'webhook_url', w.url)
			from due, reelmill.domains d where w.id = due.id and d.id = w.domain_id
			returning w.id, w.domain_id, w.body, w.attempt_count, w.attempts_left, w.replays_owed, w.leased_until, d.config ->> 'webhook_url' as url,
				d.webhook_secret, d.previous_webhook_secret, d.previous_webhook_secret_expires_at ${tracer === undefined ? empty : videoTrace}`);
		const last = leased
			.map(({ domain_id }) => domain_id)
			.sort()
			.at(-1);
		after = leased.length === room && last !== undefined ? last : firstDomain;
		return leased;
	};

	const attempt = async (due: Due, open: (sealed: string) => string, span?: Span): Promise<void> => {
		const [attemptedAt, startedAt] = [new Date(clock.now()), clock.elapsed()];
		let result: WebhookResult = { status: null, error: "webhook_not_configured" };
		let exchange: Exchange | null = null;
		if (due.url !== null && due.webhook_secret !== null) {
			const request = { url: due.url, body: due.body, headers: await headersOf(due, due.webhook_secret, open, span) };
			let answer: WebhookAnswer | null = null;
			const onAnswer = (told: WebhookAnswer): void => {
				answer = told;
			};
			result = await transport.send({ ...request, onAnswer });
			exchange = exchangeOf(request, answer);
		}
		const entry: DeliveryAttempt = {
			attempted_at: attemptedAt.toISOString(),
			response_status: result.status,
			duration_ms: Math.round(clock.elapsed() - startedAt),
			// PostgreSQL's texts can't hold these characters, and outcomes are written together: one must not spoil all.
			error: result.error?.toWellFormed().replaceAll("\0", "") ?? null,
		};
		if (result.status !== null) span?.set({ "http.response.status_code": result.status });
		if (result.error !== null) span?.fail(/^\w+$/.test(result.error) ? result.error : "failed");
		observer?.webhookAttempted?.({ delivered: result.error === null, seconds: entry.duration_ms / 1000 });
		await outcomes.write(due, entry, exchange);
		if (result.error !== null)
			logger.info(
				{ deliveryId: due.id, attempt: due.attempt_count + 1, error: result.error },
				"a webhook attempt failed",
			);
	};

	const headersOf = async (
		due: Due,
		secret: string,
		open: (sealed: string) => string,
		span: Span | undefined,
	): Promise<Record<string, string>> => {
		const now = clock.now();
		const previous =
			due.previous_webhook_secret !== null && (due.previous_webhook_secret_expires_at?.getTime() ?? 0) > now
				? [due.previous_webhook_secret]
				: [];
		const headers = await deliveryHeaders({ ...due, secrets: [secret, ...previous].map(open), now, userAgent });
		return span === undefined ? headers : { ...headers, traceparent: span.traceparent };
	};

	/** Looks up the endpoint's name. After that, known or not, the attempt takes a slot. */
	const named = async ({ url }: Due): Promise<void> => {
		try {
			if (url !== null) await transport.prepare?.(url);
		} catch (error) {
			logger.error({ error }, "the name of a webhook's endpoint could not be looked for");
		}
		slots.named();
	};

	/** Makes the attempt a part of its video's trace. */
	const traced = (due: Due, work: (span?: Span) => Promise<void>): Promise<void> => {
		if (tracer === undefined) return work();
		const attributes = {
			"http.request.method": "POST",
			"reelmill.delivery.id": due.id,
			"reelmill.delivery.attempt": due.attempt_count + 1,
			...(due.video_id !== undefined && { "reelmill.video.id": due.video_id }),
		};
		return tracer.span("POST webhook", { kind: "client", parent: due.traceparent ?? null, attributes }, work);
	};

	const run = async (due: Due, open: (sealed: string) => string): Promise<void> => {
		const startedAt = clock.elapsed();
		slots.start(due.domain_id);
		await named(due);
		try {
			await traced(due, (span) => attempt(due, open, span));
		} catch (error) {
			logger.error({ error }, "a webhook attempt could not be recorded");
		}
		if (slots.end(due.domain_id, clock.elapsed() - startedAt)) onRoom();
	};

	return {
		async start() {
			const room = slots.room();
			if (room === 0) return 0;
			const leased = await lease(room);
			const open = openOnce(sealer);
			for (const due of leased) {
				const attempted: Promise<void> = run(due, open).finally(() => running.delete(attempted));
				running.add(attempted);
			}
			return leased.length;
		},
		async idle() {
			while (running.size > 0) await Promise.race(running);
		},
	};
}

const videoTrace = sql`, w.video_id, (select v.traceparent from reelmill.videos v where v.id = w.video_id) as traceparent`;

/** Opens each secret once for all deliveries that were leased together. */
function openOnce(sealer: Sealer): (sealed: string) => string {
	const opened = new Map<string, string>();
	return (sealed) => {
		const known = opened.get(sealed) ?? sealer.open(sealed);
		opened.set(sealed, known);
		return known;
	};
}
