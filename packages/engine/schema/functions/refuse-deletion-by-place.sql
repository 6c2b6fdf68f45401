-- Several partitions have the same places (ctid): a deletion by them would take rows of others.
create or replace function reelmill.refuse_deletion_by_place() returns trigger language plpgsql as $$
begin
	if current_query() ~* '\mctid\M' then
		raise exception 'rows of % are not deleted by ctid: partitions share it', tg_relid::regclass using errcode = 'feature_not_supported';
	end if;
	return null;
end $$;
