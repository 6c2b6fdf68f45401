-- What each key of the rate limits took. A crash of the server empties the table, and counting begins anew: that costs half of what a logged one does.
-- `taken` counts the window that ends at `ends_at`; small limits keep the time of each take instead. `granted` is what the last statement got.
create unlogged table reelmill.rate_limits (
	key text primary key,
	ends_at timestamptz not null,
	taken integer not null default 0,
	takes timestamptz[] not null default '{}',
	granted integer not null
) with (fillfactor = 50);
create index rate_limits_ended on reelmill.rate_limits (ends_at);
