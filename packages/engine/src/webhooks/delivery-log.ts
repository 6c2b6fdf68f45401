import { type DeliveryAttempt, isUuidV4, ReelmillError, type WebhookDelivery } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

type Status = WebhookDelivery["status"];
type DeliveryRow = {
	id: string;
	type: WebhookDelivery["type"];
	video_id: string;
	status: Status;
	url: string;
	attempts: DeliveryAttempt[];
	attempt_count: number;
	next_attempt_at: Date | null;
	created_at: Date;
	delivered_at: Date | null;
};

/** The log of webhook deliveries, for tenants. */
export type Webhooks = {
	/**
	 * Returns a page of the domain's deliveries, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor` when the cursor isn't one of this list; `validation_error` when the limit
	 * is outside 1 to 100.
	 */
	listDeliveries(
		principal: TenantPrincipal,
		request: PageRequest & { readonly status?: Status | undefined },
	): Promise<{ data: WebhookDelivery[]; next_cursor: string | null }>;
	/**
	 * Grants exactly one more attempt, due now, with the same id and bytes, and returns the delivery. It is `pending`
	 * until that attempt was made. Replays add up: each call is followed by an attempt of its own, also if two calls come
	 * at once. The outcome of an attempt that already runs doesn't count for a replay. The rest of the schedule stays as
	 * it was. A delivery that had arrived before becomes `delivered` again, even if the replay fails.
	 *
	 * @throws {ReelmillError} `delivery_not_found`, also when the delivery is another tenant's.
	 */
	replay(principal: TenantPrincipal, deliveryId: string): Promise<WebhookDelivery>;
};

const columns = sql`id, type, video_id, status, url, attempts, attempt_count, next_attempt_at, created_at, delivered_at`;

const view = ({ next_attempt_at, created_at, delivered_at, ...row }: DeliveryRow): WebhookDelivery => ({
	...row,
	next_attempt_at: next_attempt_at?.toISOString() ?? null,
	created_at: created_at.toISOString(),
	delivered_at: delivered_at?.toISOString() ?? null,
});

/** `onReplayed` is called when a delivery became due. */
export function createDeliveryLog(
	{ database, clock }: Parts,
	{ pages, onReplayed }: { pages: Pages; onReplayed: () => void },
): Webhooks {
	return {
		async listDeliveries(principal, { status, ...request }) {
			const listing = { route: "listWebhookDeliveries", scope: principal, filter: status ?? null } as const;
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<DeliveryRow>(sql`
					select ${columns} from reelmill.webhook_deliveries where domain_id = ${principal.domainId}
					${status === undefined ? sql`` : sql`and status = ${status}`} ${keyset}`),
			);
			return { data: rows.map(view), next_cursor: nextCursor };
		},
		async replay(principal, deliveryId) {
			if (!isUuidV4(deliveryId)) throw new ReelmillError("delivery_not_found");
			const [row] = await database.query<DeliveryRow>(sql`
				update reelmill.webhook_deliveries set status = 'pending', replays_owed = replays_owed + 1, next_attempt_at = ${new Date(clock.now())}
				where id = ${deliveryId} and domain_id = ${principal.domainId} returning ${columns}`);
			if (row === undefined) throw new ReelmillError("delivery_not_found");
			onReplayed();
			return view(row);
		},
	};
}
