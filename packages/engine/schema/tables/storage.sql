-- A bucket that a domain stored in, or stores in now. A domain without a profile stores on the local disk.
-- What says where things lie never changes: another bucket, endpoint, region or prefix is another row. Key, path style and public address change in place.
create table reelmill.storage_profiles (
	id uuid primary key,
	domain_id uuid not null references reelmill.domains,
	backend text not null check (backend in ('s3_platform', 's3_tenant')),
	-- Of s3_platform; all that is null is then as the operator says.
	location_id text,
	endpoint text,
	region text,
	bucket text,
	key_prefix text,
	force_path_style boolean,
	access_key_id text,
	-- Sealed under the master key.
	secret text,
	public_base_url text,
	-- Counts the changes of what its connections are opened with.
	revision integer not null default 1,
	last_error text,
	last_fault text check (last_fault in ('unreachable', 'credentials', 'bucket', 'failed')),
	last_verified_at timestamptz,
	created_at timestamptz not null,
	check ((backend = 's3_platform') = (location_id is not null)),
	check ((backend = 's3_tenant') = (bucket is not null and region is not null and access_key_id is not null and secret is not null))
);
create index storage_profiles_of_domain on reelmill.storage_profiles (domain_id);
create index storage_profiles_oldest on reelmill.storage_profiles (created_at, id);
alter table reelmill.domains add foreign key (storage_profile_id) references reelmill.storage_profiles;

-- Bytes that no row needs any more, to be deleted once the change that said so has been committed.
create table reelmill.deletions (
	id bigint generated always as identity primary key,
	-- `probes`: of a round trip. One that was cut off leaves its probes: they are looked for afterwards, once for all round trips at the place.
	kind text not null check (kind in ('upload', 'outputs', 'probes')),
	reference text not null,
	-- Null: the local disk.
	storage_profile_id uuid references reelmill.storage_profiles,
	created_at timestamptz not null,
	-- Null: at once. Workers put outputs straight into buckets, by URLs that outlive a lost lock: what was deleted is deleted once more when nothing can come any more.
	not_before timestamptz
);
create index deletions_in_buckets on reelmill.deletions (storage_profile_id) where storage_profile_id is not null;
create index deletions_by_reference on reelmill.deletions (reference collate "C");
create index deletions_withdrawn on reelmill.deletions (storage_profile_id) where reference like 'public/%';
create unique index deletions_of_probes on reelmill.deletions (coalesce(storage_profile_id, '00000000-0000-0000-0000-000000000000')) where kind = 'probes';
