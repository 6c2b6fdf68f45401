create table reelmill.service_accounts (
	id uuid primary key,
	name text not null unique,
	secret_hash bytea not null,
	previous_secret_hash bytea,
	previous_secret_expires_at timestamptz,
	created_at timestamptz not null,
	revoked_at timestamptz
);
create index service_accounts_newest on reelmill.service_accounts (created_at desc, id desc);
