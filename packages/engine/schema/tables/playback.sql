-- Gives keys and revocations their places in one order.
create sequence reelmill.playback_mint_order;

-- Keys of a viewer that were minted before `revoked_order` are refused. A row is reaped once every key that it refuses has expired.
create table reelmill.playback_revocations (
	domain_id uuid not null references reelmill.domains,
	viewer_ref text not null,
	revoked_order bigint not null,
	revoked_at timestamptz not null,
	primary key (domain_id, viewer_ref)
);
create index playback_revocations_oldest on reelmill.playback_revocations (revoked_at);
