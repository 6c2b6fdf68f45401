import { createHmac } from "node:crypto";
import {
	type DeliveryType,
	exampleData,
	type HeardEvents,
	isUuidV4,
	type ListenRequest,
	ReelmillError,
	type TriggerAnswer,
	testVideoId,
} from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { TenantPrincipal } from "../keys/index.ts";
import type { KeyRing, Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { deliveryHeaders } from "./delivery-headers.ts";

/** Listeners ask for a domain's events, on machines that no webhook reaches. */
export type Listeners = {
	/**
	 * Returns the events that the listener has not confirmed, the oldest first, at most 100. The first call of an id
	 * begins its listening; it ends with a call that says `ends`, or 120 s after the last call. Events in `received` are
	 * forgotten. A call whose answer is lost may be repeated: it answers the same events.
	 *
	 * @throws {ReelmillError} `validation_error` when the id is no random UUID; `invalid_state` when the domain has ten
	 * other listeners.
	 */
	listen(principal: TenantPrincipal, listenerId: string, request: ListenRequest): Promise<HeardEvents>;
	/**
	 * Makes up an event of this type for each listener of the domain. Nothing is sent to its `webhook_url`.
	 *
	 * @throws {ReelmillError} `invalid_state` when nobody listens.
	 */
	trigger(principal: TenantPrincipal, type: DeliveryType): Promise<TriggerAnswer>;
};

type Asked = {
	is_new: boolean;
	webhook_secret: string | null;
	previous_webhook_secret: string | null;
	previous_webhook_secret_expires_at: Date | null;
	/** `body` is base64. */
	heard: { id: string; type: DeliveryType; video_id: string; created_at: string; body: string }[];
};

const lifeMilliseconds = 120_000;
const mostListeners = 10;
const mostEvents = 100;

export function createListeners(
	{ database, clock, random }: Parts,
	{ sealer, keys: [key], baseUrl, userAgent }: { sealer: Sealer; keys: KeyRing; baseUrl: string; userAgent: string },
): Listeners {
	/** The same for a domain until the master key changes, so that a receiver can be set up once. */
	const secretOf = (domainId: string): string => `whsec_${createHmac("sha256", key).update(domainId).digest("hex")}`;

	return {
		async listen({ domainId }, listenerId, { received, ends }) {
			if (!isUuidV4(listenerId))
				throw new ReelmillError("validation_error", { message: "A listener's id is a random UUID (version 4)." });
			const now = clock.now();
			const at = new Date(now);
			const expiresAt = new Date(ends ? now : now + lifeMilliseconds);
			const own = sql`domain_id = ${domainId} and listener_id = ${listenerId}`;
			const [asked] = await database.query<Asked>(sql`
				with listening as (
					insert into reelmill.webhook_listeners (domain_id, id, expires_at)
					select d.id, ${listenerId}::uuid, ${expiresAt}::timestamptz from reelmill.domains d
					where d.id = ${domainId} and d.deleted_at is null and (${ends} or ${mostListeners}::integer > (
						select count(*) from reelmill.webhook_listeners l where l.domain_id = d.id and l.id <> ${listenerId} and l.expires_at > ${at}))
					on conflict (domain_id, id) do update set expires_at = excluded.expires_at returning domain_id),
				forgotten as (delete from reelmill.webhook_heard where ${own} and id = any(${received}::uuid[]))
				select not exists (select from reelmill.webhook_listeners l where l.domain_id = d.id and l.id = ${listenerId} and l.expires_at > ${at}) as is_new,
					d.webhook_secret, d.previous_webhook_secret, d.previous_webhook_secret_expires_at, coalesce((
						select jsonb_agg(jsonb_build_object('id', h.id, 'type', h.type, 'video_id', h.video_id, 'created_at', h.created_at, 'body', encode(h.body, 'base64')) order by h.position)
						from (select * from reelmill.webhook_heard where ${own} and id <> all(${received}::uuid[]) order by position limit ${mostEvents}) h), '[]') as heard
				from listening join reelmill.domains d on d.id = listening.domain_id`);
			if (asked === undefined)
				throw new ReelmillError("invalid_state", {
					message: `A domain has at most ${mostListeners} listeners at a time. One that was stopped without saying so is gone two minutes later.`,
				});
			const previousHolds = (asked.previous_webhook_secret_expires_at?.getTime() ?? 0) > now;
			const sealed = [asked.webhook_secret, previousHolds ? asked.previous_webhook_secret : null];
			const secret = secretOf(domainId);
			const secrets = [secret, ...sealed.filter((one) => one !== null).map(sealer.open)];
			const data = asked.heard.map(async ({ body: base64, created_at, ...event }) => {
				const body = Buffer.from(base64, "base64");
				const headers = await deliveryHeaders({ id: event.id, body, secrets, now, userAgent });
				return {
					...event,
					created_at: new Date(created_at).toISOString(),
					body: body.toString(),
					headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
				};
			});
			return { secret, is_new: asked.is_new, expires_at: expiresAt.toISOString(), data: await Promise.all(data) };
		},
		async trigger({ domainId }, type) {
			const id = random.uuid();
			const now = new Date(clock.now());
			const at = now.toISOString();
			const data = exampleData(type, { id: testVideoId, baseUrl, at });
			const body = { id, type, created_at: at, domain_id: domainId, data };
			const heard = await database.query<{ id: string }>(sql`
				insert into reelmill.webhook_heard (domain_id, listener_id, id, video_id, type, body, created_at)
				select l.domain_id, l.id, ${id}::uuid, ${testVideoId}::uuid, ${type}::text, ${Buffer.from(JSON.stringify(body))}::bytea, ${now}::timestamptz
				from reelmill.webhook_listeners l where l.domain_id = ${domainId} and l.expires_at > ${now} returning id`);
			if (heard.length === 0)
				throw new ReelmillError("invalid_state", {
					message: "Nobody listens: start `reelmill webhooks listen` first.",
				});
			return { id, type, listeners: heard.length };
		},
	};
}
