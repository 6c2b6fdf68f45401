import sql, { type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/**
 * What gives a new domain its storage: the profile's id, which its row names (null: the local storage), and the part of
 * the statement that adds the profile beside `domain`, the row that was inserted. References are checked when the
 * statement ends, so that each row may name the other.
 */
export function firstStorage({ clock, random }: Parts, location: string | null): { id: string | null; part: Sql } {
	const id = location === null ? null : random.uuid();
	return {
		id,
		part: sql`
			first_storage as (
				insert into reelmill.storage_profiles (id, domain_id, backend, location_id, created_at)
				select ${id}::uuid, d.id, 's3_platform', ${location}::text, ${new Date(clock.now())}::timestamptz from domain d where ${id}::uuid is not null)`,
	};
}
