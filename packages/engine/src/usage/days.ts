import { mostUsageDays, ReelmillError, type UsageDays } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Scope } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

type Row = {
	date: string;
	uploads: number;
	uploaded_bytes: number;
	available: number;
	encoded_seconds: number;
	failures: number;
	storage_bytes: number | null;
};

/**
 * Returns the usage of each UTC day from `from` to `to` (default: today and the 29 days before), newest first. Nothing
 * is stored of the days to come, so they are left out.
 *
 * @throws {ReelmillError} `validation_error` when `from` comes after `to`, or there are more than 400 days.
 */
export type ListUsageDays = (
	scope: Scope,
	span?: { readonly from?: string | undefined; readonly to?: string | undefined },
) => Promise<UsageDays>;

const dayMilliseconds = 86_400_000;
const defaultDays = 30;
const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

export const createListUsageDays =
	({ database, clock }: Parts): ListUsageDays =>
	async ({ domainId }, span = {}) => {
		const today = dateOf(clock.now());
		const last = span.to ?? today;
		const first = span.from ?? dateOf(Date.parse(last) - (defaultDays - 1) * dayMilliseconds);
		if (first > last) throw new ReelmillError("validation_error", { message: "from: must not come after to" });
		if ((Date.parse(last) - Date.parse(first)) / dayMilliseconds >= mostUsageDays)
			throw new ReelmillError("validation_error", { message: `from: must be at most ${mostUsageDays} days before to` });
		// A day without a change ends with what was stored before it.
		const data = await database.query<Row>(sql`
			with days as (
				select g::date as day, u.uploads, u.uploaded_bytes, u.available, u.encoded_seconds, u.failures,
					case when g::date = ${today}::date then (select d.storage_bytes from reelmill.domains d where d.id = ${domainId}) else u.storage_bytes end as noted
				from generate_series(${first}::date::timestamp, least(${last}::date, ${today}::date)::timestamp, interval '1 day') g
					left join reelmill.usage_days u on u.domain_id = ${domainId} and u.day = g::date),
			grouped as (select days.*, count(noted) over (order by day) as changes from days)
			select day::text as date, coalesce(uploads, 0) as uploads, coalesce(uploaded_bytes, 0) as uploaded_bytes, coalesce(available, 0) as available,
				round(coalesce(encoded_seconds, 0)::numeric, 3)::double precision as encoded_seconds, coalesce(failures, 0) as failures,
				coalesce(first_value(noted) over (partition by changes order by day),
					(select b.storage_bytes from reelmill.usage_days b where b.domain_id = ${domainId} and b.day < ${first}::date and b.storage_bytes is not null order by b.day desc limit 1)) as storage_bytes
			from grouped order by day desc`);
		return { data };
	};
