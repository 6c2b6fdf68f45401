import {
	type FailedVideo,
	type FailedVideoPage,
	type FailureReason,
	type Failures,
	ReelmillError,
} from "@reelmill/contracts";
import sql from "sql-template-tag";
import { operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import type { Parts } from "../system/index.ts";

/** UTC days, as `2026-01-31`, both included. Left out: the 30 days that end today. */
export type Period = { readonly from?: string | undefined; readonly to?: string | undefined };

export type FailedVideosRequest = PageRequest &
	Period & { readonly reason?: FailureReason | undefined; readonly domain_id?: string | undefined };

/** What an operator sees of failures. */
export type FailuresView = {
	/**
	 * Counts the failures of videos and outros by reason and day, newest day first.
	 *
	 * @throws {ReelmillError} `validation_error` when the period ends before it begins, or has more than 400 days.
	 */
	listFailures(period: Period): Promise<Failures>;
	/**
	 * Returns a page of failures, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` as above, or when the limit is outside 1 to 100.
	 */
	listFailedVideos(request: FailedVideosRequest): Promise<FailedVideoPage>;
};

type FailureRow = {
	readonly id: string;
	readonly kind: FailedVideo["kind"];
	readonly domain_id: string;
	readonly domain_slug: string | null;
	readonly external_ref: string | null;
	readonly reason: FailureReason;
	readonly worker: string | null;
	readonly message: string | null;
	readonly is_deleted: boolean;
	readonly created_at: Date;
};

const dayMilliseconds = 86_400_000;
const mostDays = 400;

export function createFailuresView({ database, clock }: Parts, { pages }: { pages: Pages }): FailuresView {
	const periodOf = ({ from, to }: Period) => {
		const last = to === undefined ? Math.floor(clock.now() / dayMilliseconds) * dayMilliseconds : Date.parse(to);
		const first = from === undefined ? last - 29 * dayMilliseconds : Date.parse(from);
		const days = (last - first) / dayMilliseconds + 1;
		if (!(days >= 1 && days <= mostDays))
			throw new ReelmillError("validation_error", { message: `from, to: must be 1 to ${mostDays} days` });
		const within = sql`created_at >= ${new Date(first)} and created_at < ${new Date(last + dayMilliseconds)}`;
		return { from: dateOf(first), to: dateOf(last), within };
	};
	return {
		async listFailures(asked) {
			const { from, to, within } = periodOf(asked);
			const data = await database.query<Failures["data"][number]>(sql`
				select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date, reason, count(*) as count
				from reelmill.failures where ${within} group by 1, 2 order by 1 desc, 3 desc, 2`);
			return { from, to, data };
		},
		async listFailedVideos({ from, to, reason, domain_id: domainId, ...request }) {
			const { within } = periodOf({ from, to });
			const filter = JSON.stringify([from ?? null, to ?? null, reason ?? null, domainId ?? null]);
			const listing = { route: "listFailedVideos", scope: operatorScope, filter } as const;
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<FailureRow>(sql`
					with page as (
						select * from (select f.*, f.video_id as id from reelmill.failures f) f where ${within}
						${reason === undefined ? sql`` : sql`and reason = ${reason}`} ${domainId === undefined ? sql`` : sql`and domain_id = ${domainId}`} ${keyset})
					select page.*, case when d.deleted_at is null then d.slug end as domain_slug, v.external_ref, case when v.id is not null then coalesce(v.report ->> 'failure', page.cause) end as message, v.id is null as is_deleted
					from page left join reelmill.domains d on d.id = page.domain_id left join reelmill.videos v on v.id = page.id and v.deleted_at is null
					order by page.created_at desc, page.id desc`),
			);
			return { data: rows.map(view), next_cursor: nextCursor };
		},
	};
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const view = ({ id, created_at, ...row }: FailureRow): FailedVideo => ({
	video_id: id,
	external_ref: row.external_ref,
	kind: row.kind,
	domain_id: row.domain_id,
	domain_slug: row.domain_slug,
	reason: row.reason,
	message: row.message,
	worker: row.worker,
	failed_at: created_at.toISOString(),
	is_deleted: row.is_deleted,
});
