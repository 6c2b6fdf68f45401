-- Notes an import that is to be fetched, unless the domain has as many under way as it may. The domain's lock lets requests come one after another, so that no number
-- of them at once passes the limit, and of several with one key the first creates. Under a key that was used since `kept_since`, `id` is the import of then, or the
-- fault is `key_of_another`. An import that is gone since was erased: its key is free.
create or replace function reelmill.create_import(
	import jsonb, most integer, now timestamptz, asked_key bytea, asked_request bytea, kept_since timestamptz, out fault text, out id uuid
) language plpgsql as $$
declare
	wanted reelmill.imports := jsonb_populate_record(null::reelmill.imports, import);
	used reelmill.idempotency_keys;
begin
	perform from reelmill.domains d where d.id = wanted.domain_id and d.deleted_at is null for no key update;
	if not found then
		fault := 'unauthorized';
		return;
	end if;
	select * into used from reelmill.idempotency_keys k where k.owner = wanted.domain_id and k.key = asked_key and k.created_at > kept_since;
	if used.request <> asked_request then
		fault := 'key_of_another';
		return;
	end if;
	select i.id into create_import.id from reelmill.imports i where i.id = (used.record ->> 'import_id')::uuid;
	if create_import.id is not null then
		return;
	end if;
	if (select count(*) from reelmill.imports i where i.domain_id = wanted.domain_id and i.ended_at is null) >= most then
		fault := 'import_limit_reached';
		return;
	end if;
	insert into reelmill.imports values (wanted.*);
	if asked_key is not null then
		insert into reelmill.idempotency_keys as k (owner, key, request, record, created_at)
			values (wanted.domain_id, asked_key, asked_request, jsonb_build_object('import_id', wanted.id), now)
			on conflict on constraint idempotency_keys_pkey do update
				set request = excluded.request, record = excluded.record, serving_outro_id = null, created_at = excluded.created_at;
	end if;
	id := wanted.id;
end $$;
