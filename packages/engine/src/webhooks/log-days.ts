import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/** Days are made so far ahead. Without a partition of its day, a delivery goes to the default partition. */
const daysAhead = 3;
const dayMilliseconds = 86_400_000;

type Partition = {
	/** The start of the day, in milliseconds; null: what was there before the log had days. */
	readonly day: number | null;
	/** False between the two steps of a drop. */
	readonly attached: boolean;
	/** The end of its days, in milliseconds. */
	readonly end: number | null;
};

/** The webhook log's partitions, one a UTC day. One server at a time looks after them. */
export type LogDays = {
	/** Makes the partitions of today and of the next three days, as far as they are missing. */
	make(): Promise<void>;
	/**
	 * Drops the days that ended `keepSeconds` ago, without a lock that lasts. Deliveries of such a day that have to stay,
	 * pending ones and those that were attempted since, go to the default partition.
	 */
	drop(): Promise<void>;
};

export function createLogDays({ database, clock }: Parts, { keepSeconds }: { keepSeconds: number }): LogDays {
	const partitions = async (): Promise<Partition[]> => {
		const rows = await database.query<{ name: string; attached: boolean; end: Date | null }>(sql`
			select substring(c.relname from 20) as name, c.relispartition as attached,
				substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([^'']+)''[)]')::timestamptz as end
			from pg_class c where c.relnamespace = 'reelmill'::regnamespace and c.relkind = 'r' and c.relname ~ '^webhook_deliveries_([0-9]{8}|before)$'`);
		return rows.map(({ name, attached, end }) => ({
			day: name === "before" ? null : Date.parse(name.replace(/^(....)(..)(..)$/, "$1-$2-$3")),
			attached,
			end: end?.getTime() ?? null,
		}));
	};
	const date = (day: number): string => new Date(day).toISOString().slice(0, 10);
	return {
		async make() {
			const there = await partitions();
			const begin = Math.max(0, ...there.map(({ day, end }) => (day === null ? (end ?? 0) : 0)));
			const today = Math.floor(clock.now() / dayMilliseconds) * dayMilliseconds;
			for (let ahead = 0; ahead <= daysAhead; ahead++) {
				const day = today + ahead * dayMilliseconds;
				if (day < begin || there.some((one) => one.day === day)) continue;
				await database.query(sql`select reelmill.make_webhook_day(${date(day)}::date)`);
			}
		},
		async drop() {
			const before = clock.now() - keepSeconds * 1000;
			for (const { day, attached, end } of await partitions()) {
				if (day === null) {
					if (end !== null && end <= before) await database.query(sql`select reelmill.drop_webhook_days_before()`);
					continue;
				}
				if (day + dayMilliseconds > before) continue;
				const [row] = attached
					? await database.query<{ done: boolean }>(
							sql`select reelmill.detach_webhook_day(${date(day)}::date, ${new Date(before)}) as done`,
						)
					: [{ done: true }];
				if (row?.done) await database.query(sql`select reelmill.drop_webhook_day(${date(day)}::date)`);
			}
		},
	};
}
