-- What a slug means: the asset that came last, and the one that new videos get. An asset that no slug names is superseded.
create table reelmill.outros (
	domain_id uuid not null references reelmill.domains,
	slug text not null,
	label text,
	asset_id uuid not null unique,
	serving_id uuid,
	created_at timestamptz not null,
	primary key (domain_id, slug)
);
