import sql, { raw, type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import { createWalk, type Place } from "./walk.ts";

/** A batch takes a few milliseconds. A server forgets 4000 videos a sweep at most. */
const pace = { most: 200, steps: 20 };

/** Which videos end, by which of their times, and how long after it. */
type Ending = {
	readonly time: "deleted_at" | "expires_at";
	readonly which: (before: Date) => Sql;
	readonly afterSeconds: number;
};

/** Notes of bytes that still lie somewhere for video `v`. */
const notes = sql`
	select from reelmill.deletions n where n.reference collate "C" = v.id::text
		or (n.reference collate "C" >= concat(v.domain_id, '/', v.id, '/') and n.reference collate "C" < concat(v.domain_id, '/', v.id, '0'))`;

/**
 * Forgets videos whose time is over, with everything that their rows say. A video stays while bytes of it are still to
 * be deleted. If several servers call it at once, each video goes once. A video that is being changed at the moment is
 * left for the next time.
 */
export function createForgetVideos(
	{ database, clock }: Parts,
	{ time, which, afterSeconds }: Ending,
): () => Promise<void> {
	const at = raw(`v.${time}`);
	const step = async (after: Place, most: number) => {
		const before = new Date(clock.now() - afterSeconds * 1000);
		const over = sql`${at} <= ${before} and ${which(before)}`;
		const [row] = await database.query<{ seen: number; at: string; id: string }>(sql`
			with due as materialized (
				select v.id, ${at} as at from reelmill.videos v where ${over} and (${at}, v.id) > (${after.at}::timestamptz, ${after.id}::uuid)
				order by ${at}, v.id limit ${most}),
			gone as (
				delete from reelmill.videos where id = any(array(
					select v.id from due join reelmill.videos v on v.id = due.id where ${over} and not exists (${notes}) for update of v skip locked)))
			select (select count(*)::integer from due) as seen, at::text, id from due order by due.at desc, due.id desc limit 1`);
		return row === undefined ? { seen: 0, last: null } : { seen: row.seen, last: row };
	};
	return createWalk(step, pace);
}

/** Videos that a tenant deleted, or that went with their domain. Assets of outros are such rows too. */
export const deletedVideos = (afterSeconds: number): Ending => ({
	time: "deleted_at",
	which: () => sql`v.deleted_at is not null and v.session_id is null`,
	afterSeconds,
});

/**
 * Videos of sandbox sessions. Their rows are gone `afterSeconds` after the session's end; between that end and the last
 * deletion lie at most the session's own window and that of an upload. While the session lasts, its videos count.
 */
export const sessionVideos = (
	afterSeconds: number,
	windows: { readonly sandbox: number; readonly pendingUpload: number },
): Ending => ({
	time: "deleted_at",
	which: () => sql`v.deleted_at is not null and v.session_id is not null`,
	afterSeconds: Math.max(afterSeconds - windows.sandbox - windows.pendingUpload, windows.sandbox),
});

/**
 * Uploads that came to nothing. The throttle counts them for a day. An outro's asset goes when its slug is replaced or
 * deleted.
 */
export const endedVideos = (afterSeconds: number): Ending => ({
	time: "expires_at",
	which: (before) =>
		sql`v.kind = 'video' and v.state in ('expired', 'cancelled') and v.deleted_at is null and v.updated_at <= ${before}`,
	afterSeconds,
});
