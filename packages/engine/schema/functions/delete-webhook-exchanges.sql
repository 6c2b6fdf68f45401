-- Deletes the exchanges of deliveries that are deleted row by row. It stands for a foreign key, which partitions can't have here.
create or replace function reelmill.delete_webhook_exchanges() returns trigger language plpgsql as $$
begin
	delete from reelmill.webhook_exchanges e using gone
	where e.delivery_id = gone.id and e.created_at = gone.created_at;
	return null;
end $$;
