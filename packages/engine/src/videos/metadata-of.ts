import sql, { type Sql } from "sql-template-tag";

/** SQL: the title and the values of a video, as the JSON that is shown of them. */
export const metadataOf = (id: Sql): Sql => sql`
	jsonb_build_object('video_id', ${id}, 'title', (select t.title from reelmill.video_titles t where t.video_id = ${id}),
		'values', coalesce((select jsonb_object_agg(m.key, m.value) from reelmill.video_values m where m.video_id = ${id}), '{}'))`;
