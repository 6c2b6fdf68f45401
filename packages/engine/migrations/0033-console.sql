-- Compatible from 0027: older servers serve no console. Where they forget a domain, its place in an account's list goes with it.
-- Who has signed in to the console. The account of the self-host secret has no issuer.
create table reelmill.console_accounts (
	id uuid primary key,
	issuer text,
	subject text,
	email text,
	email_verified boolean not null default false,
	-- An admin made it a member, although its address is among the admins'.
	demoted boolean not null default false,
	created_at timestamptz not null,
	last_signed_in_at timestamptz,
	disabled_at timestamptz,
	constraint console_accounts_identity unique nulls not distinct (issuer, subject),
	check ((issuer is null) = (subject is null))
);
create index console_accounts_newest on reelmill.console_accounts (created_at desc, id desc);
create index console_accounts_unused on reelmill.console_accounts (last_signed_in_at) where issuer is not null and disabled_at is null;

create table reelmill.console_account_domains (
	account_id uuid not null references reelmill.console_accounts on delete cascade,
	domain_id uuid not null references reelmill.domains on delete cascade,
	primary key (account_id, domain_id)
);
create index console_account_domains_of_domain on reelmill.console_account_domains (domain_id);

-- A session's cookie names `hash`'s text. `role` is the one that it was opened with: with another one it is over. `secret_mark` tells, to whoever has the cookie's
-- text, by which self-host secret it was opened.
create table reelmill.console_sessions (
	hash bytea primary key,
	id uuid not null unique,
	account_id uuid not null references reelmill.console_accounts on delete cascade,
	role text not null check (role in ('admin', 'member')),
	secret_mark bytea,
	created_at timestamptz not null,
	last_seen_at timestamptz not null,
	ended_at timestamptz
);
create index console_sessions_of_account on reelmill.console_sessions (account_id);
create index console_sessions_oldest on reelmill.console_sessions (created_at);

-- Links that sign in once, in place of the self-host secret.
create table reelmill.console_sign_in_links (
	hash bytea primary key,
	secret_mark bytea not null,
	expires_at timestamptz not null
);
create index console_sign_in_links_ended on reelmill.console_sign_in_links (expires_at);

-- Round trips to the identity provider that are under way, each bound to the browser that began it.
create table reelmill.console_round_trips (
	hash bytea primary key,
	browser_hash bytea not null,
	expires_at timestamptz not null
);
create index console_round_trips_ended on reelmill.console_round_trips (expires_at);

-- The role that an account has now, given the addresses of the admins in lower case.
create function reelmill.console_role(account reelmill.console_accounts, admins text[]) returns text language sql immutable as $$
	select case when account.issuer is null or (account.email_verified and not account.demoted and lower(account.email collate "C") = any(admins))
		then 'admin' else 'member' end;
$$;

-- Disables an account, or changes its role and domains (null keeps them), and ends its sessions if anything changed. Answers why not, or null. All changes stand in
-- line, so that of two admins who disable each other at once one is left. `has_secret` says whether anyone can sign in as the self-host account.
create function reelmill.change_console_account(
	changing uuid, disable boolean, to_role text, to_domains uuid[], admins text[], has_secret boolean, now timestamptz
) returns text language plpgsql as $$
declare
	account reelmill.console_accounts;
	present_role text;
	present_domains uuid[];
begin
	lock table reelmill.console_accounts in share row exclusive mode;
	select * into account from reelmill.console_accounts a where a.id = changing;
	if not found then
		return 'not_found';
	end if;
	present_role := reelmill.console_role(account, admins);
	if to_role <> present_role and account.issuer is null then
		return 'self_host';
	end if;
	if to_role = 'admin' and (account.email_verified and lower(account.email collate "C") = any(admins)) is not true and account.issuer is not null then
		return 'not_listed';
	end if;
	if exists (select from unnest(to_domains) wanted where not exists (select from reelmill.domains d where d.id = wanted and d.deleted_at is null)) then
		return 'domain_not_found';
	end if;
	if present_role = 'admin' and account.disabled_at is null and (disable or to_role = 'member') and not exists (
		select from reelmill.console_accounts other where other.id <> changing and other.disabled_at is null
			and reelmill.console_role(other, admins) = 'admin' and (other.issuer is not null or has_secret)) then
		return 'last_admin';
	end if;

	select coalesce(array_agg(d.domain_id order by d.domain_id), '{}') into present_domains from reelmill.console_account_domains d where d.account_id = changing;
	if to_domains is not null then
		delete from reelmill.console_account_domains d where d.account_id = changing and d.domain_id <> all(to_domains);
		insert into reelmill.console_account_domains (account_id, domain_id) select changing, wanted from unnest(to_domains) wanted on conflict do nothing;
	end if;
	update reelmill.console_accounts a set
		demoted = case when to_role is null or to_role = present_role then a.demoted else to_role = 'member' end,
		disabled_at = case when disable then coalesce(a.disabled_at, now) else a.disabled_at end
		where a.id = changing;
	if disable or to_role <> present_role or (
		to_domains is not null and present_domains <> (select coalesce(array_agg(distinct wanted order by wanted), '{}') from unnest(to_domains) wanted)) then
		update reelmill.console_sessions s set ended_at = now where s.account_id = changing and s.ended_at is null;
	end if;
	return null;
end $$;
