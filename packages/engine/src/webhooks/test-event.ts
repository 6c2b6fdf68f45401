import { exampleVideo, ReelmillError, testEventType, testVideoId, type WebhookTestEvent } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Row } from "../ports/index.ts";
import { datedId, type Parts } from "../system/index.ts";

/**
 * Writes a test event's delivery, due now and with one attempt, and returns its row by `columns`. It carries a whole
 * video, so that a receiver that reads one finds one. The video's state is `pending_upload`: nothing follows from it.
 *
 * @throws {ReelmillError} `invalid_state` until the domain has both `webhook_url` and `webhook_secret`.
 */
export const createTestEvent =
	({ database, clock, random }: Parts, columns: Sql) =>
	async <R extends Row>({ domainId }: TenantPrincipal): Promise<R> => {
		const now = new Date(clock.now());
		const id = datedId(random.uuid(), now.getTime());
		const at = now.toISOString();
		const video = exampleVideo(testEventType, { id: testVideoId, baseUrl: "", at });
		const body: WebhookTestEvent = {
			id,
			type: testEventType,
			created_at: at,
			domain_id: domainId,
			data: { video },
		};
		const [row] = await database.query<R>(sql`
			insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
			select ${id}::uuid, d.id, ${testVideoId}::uuid, ${testEventType}::text, ${Buffer.from(JSON.stringify(body))}::bytea,
				d.config ->> 'webhook_url', 'pending', 1, ${now}::timestamptz, ${now}::timestamptz
			from reelmill.domains d
			where d.id = ${domainId} and d.deleted_at is null and d.webhook_secret is not null and d.config ->> 'webhook_url' is not null
			returning ${columns}`);
		if (row === undefined)
			throw new ReelmillError("invalid_state", {
				message: "Nothing can be sent: set webhook_url and webhook_secret first.",
			});
		return row;
	};
