import { type DeliveryAttempt, type DeliveryExchange, isUuidV4, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { bodyText, type Header } from "./exchange.ts";
import { lookUp } from "./look-up.ts";

type ExchangeRow = {
	attempt: number;
	url: string;
	request_headers: Header[];
	response_headers: Header[] | null;
	/** In base64. */
	bytes: string | null;
	response_truncated: boolean;
};

/** What a delivery's page shows beside its row of the log. */
export type Detail = { readonly body: string; readonly exchanges: DeliveryExchange[] };

/**
 * Creates the function that reads what a delivery sends, and what each of its attempts sent and got.
 *
 * @throws {ReelmillError} `delivery_not_found`, also when the delivery is another tenant's.
 */
export const createDeliveryDetail =
	({ database }: Parts) =>
	async <R extends { readonly attempts: readonly DeliveryAttempt[] }>(
		{ domainId }: TenantPrincipal,
		deliveryId: string,
		columns: ReturnType<typeof sql>,
	): Promise<{ row: R; detail: Detail }> => {
		if (!isUuidV4(deliveryId)) throw new ReelmillError("delivery_not_found");
		// One statement: attempts and exchanges are of the same moment.
		const row = await lookUp<R & { body: Uint8Array; exchanges: ExchangeRow[] }>(
			database,
			deliveryId,
			(mayBe) => sql`
			select ${columns}, body, coalesce((
				select jsonb_agg(to_jsonb(e) - 'response_body' || jsonb_build_object('bytes', encode(e.response_body, 'base64')))
				from reelmill.webhook_exchanges e where e.delivery_id = w.id and e.created_at = w.created_at and ${mayBe(sql`e`)}), '[]') as exchanges
			from reelmill.webhook_deliveries w where w.id = ${deliveryId} and ${mayBe(sql`w`)} and w.domain_id = ${domainId}`,
		);
		if (row === undefined) throw new ReelmillError("delivery_not_found");
		const { body, exchanges: kept, ...delivery } = row;
		const exchanges = row.attempts.map((attempt, index): DeliveryExchange => {
			const exchange = kept.find((one) => one.attempt === index + 1);
			return {
				attempt: index + 1,
				...attempt,
				request: exchange ? { url: exchange.url, headers: exchange.request_headers } : null,
				response:
					exchange?.response_headers && exchange.bytes !== null
						? {
								headers: exchange.response_headers,
								body: {
									...bodyText(Buffer.from(exchange.bytes, "base64"), exchange.response_truncated),
									truncated: exchange.response_truncated,
								},
							}
						: null,
			};
		});
		return { row: delivery as unknown as R, detail: { body: Buffer.from(body).toString(), exchanges } };
	};
