-- Disables an account, or changes its role and domains (null keeps them), and ends its sessions if anything changed. Answers why not, or what changed. All changes
-- stand in line, so that of two admins who disable each other at once one is left. `has_secret` says whether anyone can sign in as the self-host account.
create or replace function reelmill.change_console_account(
	changing uuid, disable boolean, to_role text, to_domains uuid[], admins text[], has_secret boolean, now timestamptz, out fault text, out changed text[]
) language plpgsql as $$
declare
	account reelmill.console_accounts;
	present_role text;
	present_domains uuid[];
begin
	changed := '{}';
	lock table reelmill.console_accounts in share row exclusive mode;
	select * into account from reelmill.console_accounts a where a.id = changing;
	if not found then
		fault := 'not_found'; return;
	end if;
	present_role := reelmill.console_role(account, admins);
	if to_role <> present_role and account.issuer is null then
		fault := 'self_host'; return;
	end if;
	if to_role = 'admin' and account.issuer is not null and (account.email_verified and lower(account.email collate "C") = any(admins)) is not true then
		fault := 'not_listed'; return;
	end if;
	if exists (select from unnest(to_domains) wanted where not exists (select from reelmill.domains d where d.id = wanted and d.deleted_at is null)) then
		fault := 'domain_not_found'; return;
	end if;
	if present_role = 'admin' and account.disabled_at is null and (disable or to_role = 'member') and not exists (
		select from reelmill.console_accounts other where other.id <> changing and other.disabled_at is null
			and reelmill.console_role(other, admins) = 'admin' and (other.issuer is not null or has_secret)) then
		fault := 'last_admin'; return;
	end if;

	if to_role <> present_role then
		changed := changed || 'role'::text;
		update reelmill.console_accounts a set demoted = to_role = 'member' where a.id = changing;
	end if;
	select coalesce(array_agg(d.domain_id order by d.domain_id), '{}') into present_domains from reelmill.console_account_domains d where d.account_id = changing;
	if present_domains <> (select coalesce(array_agg(distinct wanted order by wanted), '{}') from unnest(coalesce(to_domains, present_domains)) wanted) then
		changed := changed || 'domain_ids'::text;
		delete from reelmill.console_account_domains d where d.account_id = changing and d.domain_id <> all(to_domains);
		insert into reelmill.console_account_domains (account_id, domain_id) select changing, wanted from unnest(to_domains) wanted on conflict do nothing;
	end if;
	if disable and account.disabled_at is null then
		changed := changed || 'disabled_at'::text;
		update reelmill.console_accounts a set disabled_at = now where a.id = changing;
	end if;
	if changed <> '{}' then
		update reelmill.console_sessions s set ended_at = now where s.account_id = changing and s.ended_at is null;
	end if;
end $$;
