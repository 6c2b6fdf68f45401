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
-- An account whose first sign-in was broken off has never signed in.
create index console_accounts_unused on reelmill.console_accounts (coalesce(last_signed_in_at, created_at)) where issuer is not null and disabled_at is null;

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
