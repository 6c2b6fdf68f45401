import {
	type DeliveryAttempt,
	type DeliveryType,
	isUuidV4,
	ReelmillError,
	type ReplayAnswer,
	type ReplayRequest,
	type WebhookDelivery,
	type WebhookDeliveryDetail,
} from "@reelmill/contracts";
import sql, { empty, type Sql } from "sql-template-tag";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { createDeliveryDetail } from "./delivery-detail.ts";
import { lookUp } from "./look-up.ts";
import { createReplayAll } from "./replay-all.ts";
import { createTestEvent } from "./test-event.ts";

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
		request: PageRequest & {
			readonly status?: Status | undefined;
			readonly type?: DeliveryType | undefined;
			readonly video_id?: string | undefined;
		},
	): Promise<{ data: WebhookDelivery[]; next_cursor: string | null }>;
	/**
	 * Returns a delivery with its body, and with what each attempt sent and got. The last 20 attempts are kept.
	 *
	 * @throws {ReelmillError} `delivery_not_found`, also when the delivery is another tenant's.
	 */
	getDelivery(principal: TenantPrincipal, deliveryId: string): Promise<WebhookDeliveryDetail>;
	/**
	 * Grants exactly one more attempt, due now, with the same id and bytes, and returns the delivery. It is `pending`
	 * until that attempt was made. Replays add up: each call is followed by an attempt of its own, also if two calls come
	 * at once. The outcome of an attempt that already runs doesn't count for a replay. The rest of the schedule stays as
	 * it was. A delivery that had arrived before becomes `delivered` again, even if the replay fails.
	 *
	 * @throws {ReelmillError} `delivery_not_found`, also when the delivery is another tenant's.
	 */
	replay(principal: TenantPrincipal, deliveryId: string): Promise<WebhookDelivery>;
	/**
	 * Grants each failed delivery whose event happened at `since` or later one more attempt, the oldest first, and
	 * returns how many they are. A call passes over those that are pending by now, so two calls at once grant each one
	 * attempt. A call replays at most 10,000; `more` says whether there are others. With `dry_run` it only counts.
	 */
	replayFailed(principal: TenantPrincipal, request: ReplayRequest): Promise<ReplayAnswer>;
	/**
	 * Sends a test event, and returns its delivery. It gets one attempt.
	 *
	 * @throws {ReelmillError} `invalid_state` until the domain has a URL and a secret for webhooks.
	 */
	sendTest(principal: TenantPrincipal): Promise<WebhookDelivery>;
};

const columns = sql`id, type, video_id, status, url, attempts, attempt_count, next_attempt_at, created_at, delivered_at`;

const view = ({ next_attempt_at, created_at, delivered_at, ...row }: DeliveryRow): WebhookDelivery => ({
	...row,
	next_attempt_at: next_attempt_at?.toISOString() ?? null,
	created_at: created_at.toISOString(),
	delivered_at: delivered_at?.toISOString() ?? null,
});

/** Of a list by status alone, the cursors are those of before there were other filters. */
const filterOf = (status?: string, type?: string, videoId?: string): string | null =>
	type === undefined && videoId === undefined ? (status ?? null) : JSON.stringify([status, type, videoId]);

/** A page that lies within this time is read from few of the log's days. */
const nearMilliseconds = 2 * 86_400_000;

/** `onReplayed` is called when a delivery became due. */
export function createDeliveryLog(
	parts: Parts,
	{ pages, onReplayed }: { pages: Pages; onReplayed: () => void },
): Webhooks {
	const { database, clock } = parts;
	const detailOf = createDeliveryDetail(parts);
	const addTestEvent = createTestEvent(parts, columns);
	const replayAll = createReplayAll(parts);
	return {
		async listDeliveries(principal, { status, type, video_id, ...request }) {
			const listing = {
				route: "listWebhookDeliveries",
				scope: principal,
				filter: filterOf(status, type, video_id),
			} as const;
			if (video_id !== undefined && !isUuidV4(video_id)) return { data: [], next_cursor: null };
			const { rows, nextCursor } = await pages.read(listing, request, async (keyset, before) => {
				const since = (condition: Sql) => sql`
					select ${columns} from reelmill.webhook_deliveries where domain_id = ${principal.domainId} ${condition}
					${status === undefined ? empty : sql`and status = ${status}`} ${type === undefined ? empty : sql`and type = ${type}`}
					${video_id === undefined ? empty : sql`and video_id = ${video_id}`} ${keyset}`;
				const from = new Date((before?.getTime() ?? clock.now()) - nearMilliseconds);
				const near = await database.query<DeliveryRow>(since(sql`and created_at >= ${from}`));
				return near.length > request.limit ? near : database.query<DeliveryRow>(since(empty));
			});
			return { data: rows.map(view), next_cursor: nextCursor };
		},
		async replay(principal, deliveryId) {
			if (!isUuidV4(deliveryId)) throw new ReelmillError("delivery_not_found");
			const row = await lookUp<DeliveryRow>(
				database,
				deliveryId,
				(mayBe) => sql`
				update reelmill.webhook_deliveries w set status = 'pending', replays_owed = replays_owed + 1, next_attempt_at = ${new Date(clock.now())}
				where id = ${deliveryId} and ${mayBe(sql`w`)} and domain_id = ${principal.domainId} returning ${columns}`,
			);
			if (row === undefined) throw new ReelmillError("delivery_not_found");
			onReplayed();
			return view(row);
		},
		async getDelivery(principal, deliveryId) {
			const { row, detail } = await detailOf<DeliveryRow>(principal, deliveryId, columns);
			return { ...view(row), ...detail };
		},
		async replayFailed(principal, request) {
			const answer = await replayAll(principal, request);
			if (!request.dry_run && answer.replayed > 0) onReplayed();
			return answer;
		},
		async sendTest(principal) {
			const row = await addTestEvent<DeliveryRow>(principal);
			onReplayed();
			return view(row);
		},
	};
}
