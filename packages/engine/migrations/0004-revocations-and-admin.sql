-- Keys of a viewer that were minted before `revoked_order` are refused. A row is reaped once every key that it refuses has expired.
create table reelmill.playback_revocations (
	domain_id uuid not null references reelmill.domains,
	viewer_ref text not null,
	revoked_order bigint not null,
	revoked_at timestamptz not null,
	primary key (domain_id, viewer_ref)
);
create index playback_revocations_oldest on reelmill.playback_revocations (revoked_at);

-- The order of the domain's newest revocation: a key minted after it needs no look at the others.
alter table reelmill.domains add column playback_revoked_order bigint not null default 0;

-- Under the lock on the domain's row each statement sees what the revocations before it wrote, so that the count is exact and the orders rise.
-- The place is drawn from the sequence that keys are minted from: a key of a lower place was minted before.
create function reelmill.revoke_viewer(revoking uuid, viewer text, at timestamptz, most integer) returns text language plpgsql as $$
declare
	place bigint;
begin
	perform from reelmill.domains where id = revoking and deleted_at is null for no key update;
	if not found then
		return 'domain_not_found';
	end if;
	if not exists (select from reelmill.playback_revocations where domain_id = revoking and viewer_ref = viewer)
		and (select count(*) from reelmill.playback_revocations where domain_id = revoking) >= most then
		return 'playback_revocation_limit';
	end if;
	place := nextval('reelmill.playback_mint_order');
	insert into reelmill.playback_revocations (domain_id, viewer_ref, revoked_order, revoked_at) values (revoking, viewer, place, at)
		on conflict (domain_id, viewer_ref) do update set revoked_order = excluded.revoked_order, revoked_at = excluded.revoked_at;
	update reelmill.domains set playback_revoked_order = place where id = revoking;
	return 'revoked';
end $$;

-- A deleted domain whose videos are not all gone yet has no `purged_at`.
alter table reelmill.domains add column purged_at timestamptz;
create index domains_to_purge on reelmill.domains (deleted_at) where deleted_at is not null and purged_at is null;
create index domains_newest on reelmill.domains (created_at desc, id desc) where deleted_at is null;
create index service_accounts_newest on reelmill.service_accounts (created_at desc, id desc);
