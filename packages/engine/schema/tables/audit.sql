-- Who changed what, when and from where. A row is written by the statement that makes the change, and outlives what it tells of: it refers to no other table.
create table reelmill.audit (
	id uuid primary key,
	created_at timestamptz not null,
	actor_kind text not null check (actor_kind in ('account', 'domain_key', 'admin_key', 'engine')),
	actor_id text,
	actor_label text not null,
	-- An admin key, or the account of an admin: tenants see of it that it was the operator, and no more.
	by_operator boolean not null,
	action text not null,
	resource_kind text not null,
	resource_id text not null,
	resource_label text,
	-- The names of the fields that changed. Values are nowhere in this table.
	changed text[] not null,
	domain_id uuid,
	address text,
	request_id text
);

create index audit_newest on reelmill.audit (created_at desc, id desc);
create index audit_of_domain on reelmill.audit (domain_id, created_at desc, id desc) where domain_id is not null;
create index audit_of_resource on reelmill.audit (resource_id, created_at desc, id desc);
create index audit_by_action on reelmill.audit (action, created_at desc, id desc);
create index audit_by_id on reelmill.audit (actor_id, created_at desc, id desc) where actor_id is not null;
create index audit_by_label on reelmill.audit (actor_label, created_at desc, id desc);
