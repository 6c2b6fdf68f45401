import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/** Days are made so far ahead. Without a partition of its day, a delivery goes to the default partition. */
const daysAhead = 3;
const dayMilliseconds = 86_400_000;

type Partition = {
	/** The start of the day, in milliseconds. */
	readonly day: number;
	/** False between the two steps of a drop. */
	readonly attached: boolean;
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
		const rows = await database.query<{ name: string; attached: boolean }>(sql`
			select substring(c.relname from 20) as name, c.relispartition as attached
			from pg_class c where c.relnamespace = 'reelmill'::regnamespace and c.relkind = 'r' and c.relname ~ '^webhook_deliveries_[0-9]{8}$'`);
		return rows.map(({ name, attached }) => ({
			day: Date.parse(name.replace(/^(....)(..)(..)$/, "$1-$2-$3")),
			attached,
		}));
	};
	const date = (day: number): string => new Date(day).toISOString().slice(0, 10);
	return {
		async make() {
			const there = await partitions();
			const today = Math.floor(clock.now() / dayMilliseconds) * dayMilliseconds;
			for (let ahead = 0; ahead <= daysAhead; ahead++) {
				const day = today + ahead * dayMilliseconds;
				if (there.some((one) => one.day === day)) continue;
				await database.query(sql`select reelmill.make_webhook_day(${date(day)}::date)`);
			}
		},
		async drop() {
			const before = clock.now() - keepSeconds * 1000;
			for (const { day, attached } of await partitions()) {
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
