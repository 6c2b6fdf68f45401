import { askedEventsHeader } from "@reelmill/contracts/events";
import sql from "sql-template-tag";
import type { WebhookAnswer, WebhookResult } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import type { Due } from "./leases.ts";

/** Notes which events an endpoint asks for by its answers. */
export type AskedEvents = {
	/**
	 * Notes whether the endpoint asks for updates, if its answer says anything else than what is noted. Only an answer
	 * with 2xx says it, for the URL that gave it: the domain's next URL has not asked. If it fails, the endpoint's next
	 * answer says it again.
	 */
	note(due: Due, result: WebhookResult, answer: WebhookAnswer | null): Promise<void>;
};

const header = askedEventsHeader.toLowerCase();

const asksFor = (type: string, { headers }: WebhookAnswer): boolean =>
	headers.some(
		([name, value]) => name.toLowerCase() === header && value.split(",").some((asked) => asked.trim() === type),
	);

export function createAskedEvents({ database, logger }: Parts): AskedEvents {
	return {
		async note({ id, domain_id, url, asks_for_updates }, { error }, answer) {
			if (error !== null || answer === null || asksFor("video.updated", answer) === asks_for_updates) return;
			try {
				await database.query(sql`
					update reelmill.domains set updates_url = ${asks_for_updates ? null : url}
					where id = ${domain_id} and config ->> 'webhook_url' = ${url}`);
			} catch (failure) {
				logger.error(
					{ deliveryId: id, domainId: domain_id, error: failure },
					"what events an endpoint asks for could not be noted",
				);
			}
		},
	};
}
