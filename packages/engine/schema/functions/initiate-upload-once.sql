-- `initiate_upload` under a key. Where the key was used since `kept_since`, nothing is initiated: `kept` is the row of then, or the fault is `key_of_another`.
-- A fault leaves no key. The domain's lock lets requests come one after another, so that of several with one key the first creates, and the others see its key.
create or replace function reelmill.initiate_upload_once(
	video jsonb, rules jsonb, now timestamptz, asked_key bytea, asked_request bytea, kept_since timestamptz,
	out fault text, out existing_video_id uuid, out retry_at timestamptz, out storage_profile_id uuid, out serving_outro_id uuid, out superseded_id uuid, out kept jsonb
) language plpgsql as $$
declare
	asking uuid := coalesce(video ->> 'session_id', video ->> 'domain_id')::uuid;
	used reelmill.idempotency_keys;
begin
	perform from reelmill.domains d where d.id = (video ->> 'domain_id')::uuid for no key update;
	select * into used from reelmill.idempotency_keys k where k.owner = asking and k.key = asked_key and k.created_at > kept_since;
	if used.owner is not null then
		if used.request = asked_request then
			kept := used.record;
			serving_outro_id := used.serving_outro_id;
		else
			fault := 'key_of_another';
		end if;
		return;
	end if;
	select i.fault, i.existing_video_id, i.retry_at, i.storage_profile_id, i.serving_outro_id, i.superseded_id
		into fault, existing_video_id, retry_at, storage_profile_id, serving_outro_id, superseded_id from reelmill.initiate_upload(video, rules, now) i;
	if fault is null then
		-- A key that is over may still have its row.
		insert into reelmill.idempotency_keys as k (owner, key, request, record, serving_outro_id, created_at)
			values (asking, asked_key, asked_request, video, initiate_upload_once.serving_outro_id, now)
			on conflict on constraint idempotency_keys_pkey do update
				set request = excluded.request, record = excluded.record, serving_outro_id = excluded.serving_outro_id, created_at = excluded.created_at;
	end if;
end $$;
