-- Frees a slug, and takes it back as the domain's default. Under the domain's lock, as everything is that gives out places and pins. No row where there is none.
create or replace function reelmill.delete_outro(owner uuid, gone_slug text, out asset_id uuid, out serving_id uuid) returns setof record language plpgsql as $$
begin
	perform from reelmill.domains d where d.id = owner for no key update;
	for asset_id, serving_id in delete from reelmill.outros o where o.domain_id = owner and o.slug = gone_slug returning o.asset_id, o.serving_id loop
		update reelmill.domains d set config = d.config || '{"default_outro_slug": null}' where d.id = owner and d.config ->> 'default_outro_slug' = gone_slug;
		return next;
	end loop;
end $$;
