-- Compatible from 0027: older servers know no listeners; what changes through them is not heard.
-- Who asks for a domain's events instead of being sent them. A listener ends by itself, and its events with it.
create table reelmill.webhook_listeners (
	domain_id uuid not null references reelmill.domains on delete cascade,
	-- Chosen by the listener.
	id uuid not null,
	expires_at timestamptz not null,
	primary key (domain_id, id)
);
create index webhook_listeners_ending on reelmill.webhook_listeners (expires_at);

-- Events that a listener has not confirmed yet, with the bytes that were rendered when they happened.
create table reelmill.webhook_heard (
	domain_id uuid not null,
	listener_id uuid not null,
	id uuid not null,
	position bigint generated always as identity,
	video_id uuid not null,
	type text not null,
	body bytea not null,
	created_at timestamptz not null,
	primary key (domain_id, listener_id, id),
	foreign key (domain_id, listener_id) references reelmill.webhook_listeners on delete cascade
);
