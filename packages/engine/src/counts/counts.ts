import { deliveryStatuses, videoStates } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Chores, whenDue } from "../background/index.ts";
import type { Parts } from "../system/index.ts";

/** How many there are of each sort, in the whole installation. */
type Counted = {
	/** Videos by state, without deleted ones and outros. */
	readonly videos: Readonly<Record<(typeof videoStates)[number], number>>;
	readonly jobs: Readonly<Record<"waiting" | "running", number>>;
	/** Deliveries of webhooks by status. */
	readonly deliveries: Readonly<Record<(typeof deliveryStatuses)[number], number>>;
	/** Publications that are still to be copied, by the place of storage. */
	readonly publications: ReadonlyMap<string, number>;
};

/**
 * The counts that every move of a row changes, in the statement that moves it. The database keeps them by triggers, so
 * that no way to change a row can leave them out. See docs/decisions/observability.md.
 */
export type Counts = {
	/** Returns them as they are at this moment. It reads some hundred rows, however many are counted. */
	read(): Promise<Counted>;
	readonly chores: Chores;
};

/** So many changes of counts that were changed before are left for the readers to add up. */
const few = 200;
/** How many changes one statement adds up. */
const batch = 20_000;

export function createCounts({ database }: Pick<Parts, "database">): Counts {
	/**
	 * Many servers may do it at once: each adds up other changes. A reader sees what was before or what comes after. The
	 * ids are an array: the planner may hold the table for empty, and would compare each row of a join with each.
	 */
	const addUp = async (): Promise<void> => {
		let taken: number;
		do {
			const [added] = await database.query<{ taken: number }>(sql`
				with taken as (
					delete from reelmill.counts where (select count(*) - count(distinct (subject, name)) from reelmill.counts) > ${few}::integer
						and id = any(array(select id from reelmill.counts order by id limit ${batch} for update skip locked)) returning *),
				added as (
					insert into reelmill.counts (subject, name, change)
					select subject, name, sum(change)::bigint from taken group by subject, name having sum(change) <> 0)
				select count(*) as taken from taken`);
			taken = added?.taken ?? 0;
		} while (taken === batch);
	};
	return {
		async read() {
			const rows = await database.query<{ subject: string; name: string; count: number }>(
				sql`select subject, name, sum(change)::bigint as count from reelmill.counts group by subject, name`,
			);
			const of = (wanted: string) =>
				new Map(rows.filter(({ subject }) => subject === wanted).map(({ name, count }) => [name, count]));
			return {
				videos: complete(videoStates, of("video")),
				jobs: complete(["waiting", "running"], of("job")),
				deliveries: complete(deliveryStatuses, of("delivery")),
				publications: of("publication"),
			};
		},
		chores: { addUpCounts: whenDue(() => sql`exists (select from reelmill.counts offset ${few}::integer)`, addUp) },
	};
}

/** Returns a number for every name: 0 if nothing was counted. */
const complete = <Name extends string>(
	names: readonly Name[],
	counts: ReadonlyMap<string, number>,
): { [N in Name]: number } =>
	Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])) as { [N in Name]: number };
