import sql from "sql-template-tag";
import type { Database } from "../ports/index.ts";
import { type Found, named } from "./inspection.ts";

export type CountersInspection = {
	/**
	 * Looks at the domains after `after` until `isOver`. Returns where the next step goes on; `null` after the last
	 * domain.
	 */
	inspect(
		after: string,
		options: {
			readonly repair: boolean;
			isOver(): boolean;
			saw(rows: number): void;
			found(found: Found, mended: boolean): void;
		},
	): Promise<string | null>;
	/** Returns how many domains come before this id, whether it is a domain's, and how many domains there are. */
	rank(id: string): Promise<{ readonly before: number; readonly isOne: boolean; readonly all: number }>;
};

type Counters = { readonly storage_bytes: number; readonly reserved_bytes: number; readonly processing_count: number };
type Counted = Counters & { readonly id: string; readonly slug: string; readonly is: Counters };

const nobody = "00000000-0000-0000-0000-000000000000";
const tries = 3;

/** Sums up a domain's videos, as `storedBytes` and `reservedBytes` do for their records. */
const sums = (domainId: string) => sql`
	select coalesce(sum(case
			when v.deleted_at is not null then 0
			when v.state = 'available' then (select coalesce(sum(f.value::bigint), 0) from jsonb_each_text(v.outputs -> 'files') f)
			when v.state in ('uploaded', 'queued', 'locked', 'encoding') then v.file_size
			else 0 end), 0)::bigint as storage_bytes,
		coalesce(sum(v.file_size) filter (where v.state = 'pending_upload' and v.deleted_at is null), 0)::bigint as reserved_bytes,
		count(*) filter (where v.state in ('queued', 'locked', 'encoding'))::integer as processing_count
	from reelmill.videos v where v.domain_id = ${domainId}`;

/**
 * Compares each domain's counters with its videos, by one statement a domain: both are of one moment, however much
 * changes meanwhile.
 */
export function createCountersInspection(database: Database): CountersInspection {
	const count = async (domainId: string): Promise<Counted | undefined> => {
		const [counted] = await database.query<Counted>(sql`
			select d.id, d.slug, s.*, jsonb_build_object('storage_bytes', d.storage_bytes, 'reserved_bytes', d.reserved_bytes, 'processing_count', d.processing_count) as is
			from reelmill.domains d, lateral (${sums(domainId)}) s where d.id = ${domainId}`);
		return counted;
	};
	const names = ["storage_bytes", "reserved_bytes", "processing_count"] as const;
	const wrong = (counted: Counted) => names.filter((name) => counted[name] !== counted.is[name]);

	/**
	 * Sets the counters to what was counted, if they still are what they were when it was counted. If they have moved it
	 * counts again.
	 */
	const mend = async (domainId: string): Promise<boolean> => {
		for (let attempt = 0; attempt < tries; attempt++) {
			const counted = await count(domainId);
			if (counted === undefined || wrong(counted).length === 0) return true;
			const { is } = counted;
			const set = await database.query(sql`
				update reelmill.domains d set storage_bytes = ${counted.storage_bytes}, reserved_bytes = ${counted.reserved_bytes}, processing_count = ${counted.processing_count}
				where d.id = ${domainId} and d.storage_bytes = ${is.storage_bytes} and d.reserved_bytes = ${is.reserved_bytes} and d.processing_count = ${is.processing_count}
				returning d.id`);
			if (set.length > 0) return true;
		}
		return false;
	};

	return {
		async inspect(after, { repair, isOver, saw, found }) {
			let last = after;
			while (true) {
				const [next] = await database.query<{ id: string }>(
					sql`select id from reelmill.domains where id > ${last === "" ? nobody : last}::uuid order by id limit 1`,
				);
				if (next === undefined) return null;
				last = next.id;
				const counted = await count(next.id);
				saw(1);
				if (counted !== undefined && wrong(counted).length > 0) {
					const values = wrong(counted).map((name) => `${name} is ${counted.is[name]} and comes to ${counted[name]}`);
					found(
						{ kind: "counters_wrong", reference: counted.slug, domainId: next.id, message: `${named(values)}.` },
						repair && (await mend(next.id)),
					);
				}
				if (isOver()) return last;
			}
		},
		async rank(id) {
			const at = id === "" ? nobody : id;
			const [row] = await database.query<{ before: number; isOne: boolean; all: number }>(sql`
				select count(*)::integer as all, count(*) filter (where id < ${at}::uuid)::integer as before, count(*) filter (where id = ${at}::uuid) > 0 as "isOne"
				from reelmill.domains`);
			return row ?? { before: 0, isOne: false, all: 0 };
		},
	};
}
