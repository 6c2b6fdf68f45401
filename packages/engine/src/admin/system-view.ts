import type { AdminStorageLocation, System } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/** What an operator sees of the installation, but for what its server knows of itself. */
export type SystemView = {
	/** Returns versions, the state of the database and the health of the storage. */
	system(): Promise<Omit<System, "server">>;
};

export type SystemViewOptions = {
	readonly version: string;
	readonly baseUrl: string;
	/** How far this machine's clock is ahead of the database's. */
	readonly time: { aheadMilliseconds(): number };
	/** Whether the local storage is the installation's; null before it was used. */
	readonly isOwnStorage: () => boolean | null;
	readonly storage: { locationsForOperator(): Promise<{ data: AdminStorageLocation[] }> };
};

type DatabaseRow = { version: string; migrations: number; last_migration: string; size_bytes: number };
type FailingRow = {
	domain_id: string;
	domain_slug: string;
	bucket: string;
	is_current: boolean;
	last_error: string;
	last_verified_at: Date | null;
};

const mostBuckets = 100;

export function createSystemView({ database, clock }: Parts, options: SystemViewOptions): SystemView {
	const { version, baseUrl, time, isOwnStorage, storage } = options;
	const startedAt = new Date(clock.now()).toISOString();
	return {
		async system() {
			const [[facts], places, failing, locations] = await Promise.all([
				database.query<DatabaseRow>(sql`
					select current_setting('server_version') as version, count(*) as migrations, coalesce(max(name collate "C"), '') as last_migration,
						pg_database_size(current_database()) as size_bytes from reelmill.migrations`),
				database.query<{ location_id: string | null; count: number }>(sql`
					select p.location_id, count(*) as count from reelmill.domains d left join reelmill.storage_profiles p on p.id = d.storage_profile_id
					where d.deleted_at is null and (p.id is null or p.location_id is not null) group by p.location_id`),
				database.query<FailingRow>(sql`
					select d.id as domain_id, d.slug as domain_slug, p.bucket, d.storage_profile_id is not distinct from p.id as is_current, p.last_error, p.last_verified_at
					from reelmill.storage_profiles p join reelmill.domains d on d.id = p.domain_id
					where p.backend = 's3_tenant' and p.last_error is not null and d.deleted_at is null
					order by is_current desc, p.last_verified_at desc nulls last, p.id limit ${mostBuckets}`),
				storage.locationsForOperator(),
			]);
			const domainsIn = (id: string | null) => places.find(({ location_id }) => location_id === id)?.count ?? 0;
			const { size_bytes, ...known } = facts as DatabaseRow;
			return {
				taken_at: new Date(clock.now()).toISOString(),
				version,
				started_at: startedAt,
				base_url: baseUrl,
				database: { ...known, clock_ahead_milliseconds: time.aheadMilliseconds(), size_bytes },
				storage: {
					local: { domains: domainsIn(null), is_own: isOwnStorage() },
					locations: locations.data.map((location) => ({ ...location, domains: domainsIn(location.id) })),
					failing_buckets: failing.map((row) => ({
						...row,
						last_verified_at: row.last_verified_at?.toISOString() ?? null,
					})),
				},
			};
		},
	};
}
