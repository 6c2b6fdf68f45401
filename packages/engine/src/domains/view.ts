import { type Domain, type DomainConfig, type DomainLimits, domainConfigDefaults } from "@reelmill/contracts";
import sql from "sql-template-tag";

/** A row of `reelmill.domains`, selected by {@link domainColumns}. */
export type DomainRow = DomainLimits & {
	id: string;
	slug: string;
	config: Partial<DomainConfig>;
	webhook_secret: string | null;
	previous_webhook_secret_expires_at: Date | null;
	created_at: Date;
	last4: string | null;
};

/** SQL: the columns of `reelmill.domains d` that a view needs. */
export const domainColumns = sql`
	d.*, (select k.last4 from reelmill.domain_keys k where k.domain_id = d.id and k.expires_at is null order by k.created_at desc limit 1) as last4`;

/** Returns the configuration in force: the defaults, overridden by the tenant's settings. */
export function resolveConfig(set: Partial<DomainConfig>): DomainConfig {
	return { ...domainConfigDefaults, ...set, outputs: { ...domainConfigDefaults.outputs, ...set.outputs } };
}

/** Returns the domain as the API shows it, without the webhook secret. */
export function viewDomain(row: DomainRow, now: number): Domain {
	return {
		id: row.id,
		slug: row.slug,
		config: resolveConfig(row.config),
		limits: {
			daily_upload_bytes: row.daily_upload_bytes,
			storage_bytes_limit: row.storage_bytes_limit,
			max_concurrent_processing: row.max_concurrent_processing,
		},
		key_last4: row.last4 ?? "",
		webhook_secret_set: row.webhook_secret !== null,
		previous_webhook_secret_expires_at: inGrace(row, now)?.toISOString() ?? null,
		created_at: row.created_at.toISOString(),
	};
}

const inGrace = ({ previous_webhook_secret_expires_at: ends }: DomainRow, now: number): Date | null =>
	ends !== null && ends.getTime() > now ? ends : null;
