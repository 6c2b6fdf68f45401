import { ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../ports/index.ts";

/** One place where bytes lie: the local disk, a platform location, or the bucket of one profile of a tenant's. */
export type Place = {
	/** `local`, `location:` with its id, or `profile:` with its id. The check looks at them in this order. */
	readonly name: string;
	/** A profile that leads to the place; `null` for the local disk. */
	readonly profileId: string | null;
	/** The one domain that the place belongs to, or `null`. Outputs of other domains are not looked for there. */
	readonly domainId: string | null;
	/** Returns a condition: whether the profile in `column` is of this place. */
	readonly holds: (column: Sql) => Sql;
};

export type Places = {
	/**
	 * Returns the place of this name.
	 *
	 * @throws {ReelmillError} `invalid_cursor` when there is none any more.
	 */
	find(name: string): Promise<Place>;
	/** Returns the place after the one of this name (`null`: the first place); `null` after the last. */
	after(name: string | null): Promise<Place | null>;
	/** Returns how many places come before this one, and how many there are. */
	rank(name: string): Promise<{ readonly before: number; readonly all: number }>;
};

const local: Place = { name: "local", profileId: null, domainId: null, holds: (column) => sql`${column} is null` };

type LocationRow = { readonly id: string; readonly location_id: string };
const ofLocation = ({ id, location_id }: LocationRow): Place => ({
	name: `location:${location_id}`,
	profileId: id,
	domainId: null,
	holds: (column) =>
		sql`${column} in (select p.id from reelmill.storage_profiles p where p.location_id = ${location_id})`,
});
type ProfileRow = { readonly id: string; readonly domain_id: string };
const ofProfile = ({ id, domain_id }: ProfileRow): Place => ({
	name: `profile:${id}`,
	profileId: id,
	domainId: domain_id,
	holds: (column) => sql`${column} = ${id}`,
});

export function createPlaces(database: Database): Places {
	const location = (condition: Sql) =>
		database.query<LocationRow>(
			sql`select p.id, p.location_id from reelmill.storage_profiles p where p.location_id is not null and ${condition} order by p.location_id collate "C", p.id limit 1`,
		);
	const profile = (condition: Sql) =>
		database.query<ProfileRow>(
			sql`select p.id, p.domain_id from reelmill.storage_profiles p where p.backend = 's3_tenant' and ${condition} order by p.id limit 1`,
		);
	const split = (name: string): readonly [string, string] => {
		const at = name.indexOf(":");
		return [name.slice(0, at), name.slice(at + 1)];
	};
	const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

	return {
		async find(name) {
			if (name === local.name) return local;
			const [kind, id] = split(name);
			const [found] =
				kind === "location"
					? (await location(sql`p.location_id = ${id}`)).map(ofLocation)
					: kind === "profile" && isId.test(id)
						? (await profile(sql`p.id = ${id}`)).map(ofProfile)
						: [];
			if (found === undefined) throw new ReelmillError("invalid_cursor");
			return found;
		},
		async after(name) {
			if (name === null) return local;
			const [kind, id] = split(name);
			if (kind !== "profile") {
				const [next] = await location(kind === "location" ? sql`p.location_id collate "C" > ${id}` : sql`true`);
				if (next !== undefined) return ofLocation(next);
			}
			const [next] = await profile(kind === "profile" ? sql`p.id > ${id}` : sql`true`);
			return next === undefined ? null : ofProfile(next);
		},
		async rank(name) {
			const [kind, id] = split(name);
			const locationsBefore =
				kind === "location" ? sql`p.location_id collate "C" < ${id}` : kind === "profile" ? sql`true` : sql`false`;
			const [row] = await database.query<{ locations: number; profiles: number; before: number }>(sql`
				select count(distinct p.location_id)::integer as locations, count(*) filter (where p.backend = 's3_tenant')::integer as profiles,
					(count(distinct p.location_id) filter (where ${locationsBefore})
						+ count(*) filter (where p.backend = 's3_tenant' and ${kind === "profile" ? sql`p.id < ${id}` : sql`false`}))::integer as before
				from reelmill.storage_profiles p`);
			const { locations = 0, profiles = 0, before = 0 } = row ?? {};
			return { before: name === local.name ? 0 : 1 + before, all: 1 + locations + profiles };
		},
	};
}
