-- Compatible from 0032: older servers keep no exchanges, and have no use for them.
-- What an attempt of a delivery sent and what came back, for the last attempts of each delivery. Bounded by who writes it: headers 8 kB each, body 2 kB.
create table reelmill.webhook_exchanges (
	delivery_id uuid not null references reelmill.webhook_deliveries on delete cascade,
	attempt integer not null,
	url text not null,
	request_headers jsonb not null,
	-- Null where there was no answer.
	response_headers jsonb,
	response_body bytea,
	response_truncated boolean not null default false,
	primary key (delivery_id, attempt)
);

-- The log of one video, and of one kind of event.
create index webhook_deliveries_newest_of_video on reelmill.webhook_deliveries (domain_id, video_id, created_at desc, id desc);
create index webhook_deliveries_newest_of_type on reelmill.webhook_deliveries (domain_id, type, created_at desc, id desc);
