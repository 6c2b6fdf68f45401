import { type FirstSteps, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Scope } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

type Row = { readonly [Step in keyof FirstSteps]: Date | null };

/**
 * Returns when the domain did for the first time what everybody begins with.
 *
 * @throws {ReelmillError} `domain_not_found`.
 */
export type ReadFirstSteps = (scope: Scope) => Promise<FirstSteps>;

/**
 * The log of deliveries tells of the first one that arrived, and forgets it after a while: whoever asks first notes it
 * with the domain. The other steps are noted when they happen.
 */
export const createFirstSteps =
	({ database }: Parts): ReadFirstSteps =>
	async ({ domainId }) => {
		const [row] = await database.query<Row>(sql`
			with arrived as (
				select w.delivered_at from reelmill.webhook_deliveries w where w.domain_id = ${domainId} and w.status = 'delivered' order by w.created_at, w.id limit 1),
			noted as (
				update reelmill.domains d set first_delivered_at = arrived.delivered_at from arrived where d.id = ${domainId} and d.first_delivered_at is null returning d.id)
			select d.first_uploaded_at as uploaded_at, d.first_played_at as played_at, d.webhook_set_at,
				coalesce(d.first_delivered_at, (select a.delivered_at from arrived a)) as delivered_at
			from reelmill.domains d where d.id = ${domainId} and d.deleted_at is null`);
		if (row === undefined) throw new ReelmillError("domain_not_found");
		return {
			uploaded_at: row.uploaded_at?.toISOString() ?? null,
			played_at: row.played_at?.toISOString() ?? null,
			webhook_set_at: row.webhook_set_at?.toISOString() ?? null,
			delivered_at: row.delivered_at?.toISOString() ?? null,
		};
	};
