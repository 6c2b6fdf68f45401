import type { DeliveryAttempt } from "@reelmill/contracts";
import type { Span, WebhookAnswer, WebhookResult, WebhookTransport } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { createAskedEvents } from "./asked-events.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import { createLeases, type Due } from "./leases.ts";
import { createOutcomes } from "./outcomes.ts";
import { createSlots } from "./slots.ts";

export type Dispatcher = {
	/**
	 * Starts attempts of deliveries that are due, as many as there is room for, and returns how many. Many servers share
	 * the work: each delivery is leased to one.
	 */
	start(): Promise<number>;
	/**
	 * Lets the next statement look for deliveries of earlier days as well. Without it that is done once a minute.
	 */
	lookBack(): void;
	/** Resolves when no attempt of this server runs. */
	idle(): Promise<void>;
};

/** So often a server also looks for deliveries of earlier days that are due. */
const lookBackMilliseconds = 60_000;

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
	const { clock, logger, observer, tracer } = parts;
	const slots = createSlots({ clock });
	const outcomes = createOutcomes(parts, { schedule });
	const asked = createAskedEvents(parts);
	const running = new Set<Promise<void>>();
	const leases = createLeases(parts);
	let lookedBackAt = Number.NEGATIVE_INFINITY;

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
			await asked.note(due, result, answer);
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
		const status = await outcomes.write(due, entry, exchange);
		if (result.error === null) logger.info(named(due), "a webhook was delivered");
		else logger.info({ ...named(due), error: result.error }, "a webhook attempt failed");
		if (status === "failed") logger.warn(named(due), "a webhook is a dead letter: its last attempt failed");
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
	const lookUp = async ({ url }: Due): Promise<void> => {
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
			"reelmill.video.id": due.video_id,
		};
		return tracer.span("POST webhook", { kind: "client", parent: due.traceparent ?? null, attributes }, work);
	};

	const run = async (due: Due, open: (sealed: string) => string): Promise<void> => {
		const startedAt = clock.elapsed();
		slots.start(due.domain_id);
		await lookUp(due);
		try {
			await traced(due, (span) => attempt(due, open, span));
		} catch (error) {
			logger.error({ ...named(due), error }, "a webhook attempt could not be recorded");
		}
		if (slots.end(due.domain_id, clock.elapsed() - startedAt)) onRoom();
	};

	const begin = (leased: readonly Due[]): void => {
		const open = openOnce(sealer);
		for (const due of leased) {
			const attempted: Promise<void> = run(due, open).finally(() => running.delete(attempted));
			running.add(attempted);
		}
	};

	return {
		async start() {
			const room = slots.room();
			if (room === 0) return 0;
			const recent = await leases.take("recent", room, slots);
			begin(recent);
			const left = room - recent.length;
			if (left === 0 || clock.elapsed() - lookedBackAt < lookBackMilliseconds) return recent.length;
			const before = lookedBackAt;
			lookedBackAt = clock.elapsed();
			const earlier = await leases.take("earlier", left, slots);
			// There may be more, or they may be owed another attempt.
			if (earlier.length > 0) lookedBackAt = before;
			begin(earlier);
			return recent.length + earlier.length;
		},
		lookBack() {
			lookedBackAt = Number.NEGATIVE_INFINITY;
		},
		async idle() {
			while (running.size > 0) await Promise.race(running);
		},
	};
}

/** What each line of the log says of a delivery. */
const named = ({ id, domain_id, video_id, request_id, attempt_count }: Due) => ({
	...(request_id !== null && { request_id }),
	deliveryId: id,
	domainId: domain_id,
	videoId: video_id,
	attempt: attempt_count + 1,
});

/** Opens each secret once for all deliveries that were leased together. */
function openOnce(sealer: Sealer): (sealed: string) => string {
	const opened = new Map<string, string>();
	return (sealed) => {
		const known = opened.get(sealed) ?? sealer.open(sealed);
		opened.set(sealed, known);
		return known;
	};
}
