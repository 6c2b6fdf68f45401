-- Under the lock on the domain's row each statement sees what the revocations before it wrote, so that the count is exact and the orders rise.
-- The place is drawn from the sequence that keys are minted from: a key of a lower place was minted before.
create or replace function reelmill.revoke_viewer(revoking uuid, viewer text, at timestamptz, most integer) returns text language plpgsql as $$
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
