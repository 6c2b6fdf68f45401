-- A round trip that was cut off leaves its probes: they are looked for afterwards, at the place of a profile (null: the local disk), once for all of its round trips.
alter table reelmill.deletions
	drop constraint deletions_kind_check,
	add constraint deletions_kind_check check (kind in ('upload', 'outputs', 'probes'));
create unique index deletions_of_probes on reelmill.deletions (coalesce(storage_profile_id, '00000000-0000-0000-0000-000000000000')) where kind = 'probes';
