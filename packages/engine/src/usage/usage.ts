import { type DomainLimits, ReelmillError, type Usage } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Scope } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { createListUsageDays, type ListUsageDays } from "./days.ts";
import { createFirstSteps, type ReadFirstSteps } from "./first-steps.ts";

type Row = DomainLimits & {
	processing_count: number;
	storage_bytes: number;
	reserved_bytes: number;
	uploaded: number | null;
	reserved: number | null;
	encoded: number | null;
};

export type UsageView = {
	/**
	 * Returns what the domain used of its quotas on the present UTC day, and what is left.
	 *
	 * @throws {ReelmillError} `domain_not_found`.
	 */
	get(scope: Scope): Promise<Usage>;
	/** Returns the usage of each UTC day, newest first: see {@link ListUsageDays}. */
	readonly days: ListUsageDays;
	/** Returns when the domain did for the first time what everybody begins with: see {@link ReadFirstSteps}. */
	readonly firstSteps: ReadFirstSteps;
};

export function createUsage(parts: Parts): UsageView {
	const { database, clock } = parts;
	return {
		days: createListUsageDays(parts),
		firstSteps: createFirstSteps(parts),
		async get({ domainId }) {
			const now = new Date(clock.now());
			const [row] = await database.query<Row>(sql`
				select d.daily_upload_bytes, d.storage_bytes_limit, d.max_concurrent_processing, d.processing_count, d.storage_bytes, d.reserved_bytes,
					u.uploaded_bytes as uploaded, u.reserved_bytes as reserved, u.encoded_seconds as encoded
				from reelmill.domains d left join reelmill.usage_days u on u.domain_id = d.id and u.day = (${now}::timestamptz at time zone 'UTC')::date
				where d.id = ${domainId} and d.deleted_at is null`);
			if (row === undefined) throw new ReelmillError("domain_not_found");
			const { daily_upload_bytes, storage_bytes_limit, max_concurrent_processing } = row;
			const left = (limit: number, used: number) => Math.max(0, limit - used);
			return {
				date: now.toISOString().slice(0, 10),
				uploaded_bytes: row.uploaded ?? 0,
				encoded_seconds: Math.round((row.encoded ?? 0) * 1000) / 1000,
				storage_bytes: row.storage_bytes,
				limits: { daily_upload_bytes, storage_bytes_limit, max_concurrent_processing },
				remaining: {
					upload_bytes: left(daily_upload_bytes, (row.uploaded ?? 0) + (row.reserved ?? 0)),
					storage_bytes: left(storage_bytes_limit, row.storage_bytes + row.reserved_bytes),
					processing_slots: left(max_concurrent_processing, row.processing_count),
				},
				resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString(),
			};
		},
	};
}
