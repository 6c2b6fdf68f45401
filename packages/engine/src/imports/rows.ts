import sql, { empty, type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import { ImportLost, type Outcome } from "./outcome.ts";
import type { ImportRow } from "./row.ts";

/** The rows of imports as runs see them. A run writes only while the import is its own. */
export type ImportRows = {
	/**
	 * Takes what is due, up to `room`, for a run of this server: from each domain in turn, those first that wait longest.
	 * `running` says how many of each domain run here already. The uploads of what it takes stay open.
	 */
	take(room: number, running: Readonly<Record<string, number>>): Promise<ImportRow[]>;
	/** Notes what the origin said of the file. */
	noteFile(row: ImportRow, file: Pick<ImportRow, "content_type" | "file_size" | "validator">): Promise<ImportRow>;
	/** SQL: selects the `uploader_ref` of the import while it is this run's, and locks its row against erasure and end. */
	uploaderOf(row: ImportRow): Sql;
	/** Notes the video, and gives it title and values, which the import has no longer: they are forgotten with the video. */
	noteVideo(row: ImportRow, videoId: string): Promise<ImportRow>;
	/** Notes how many bytes are here, and keeps import and upload: nobody else takes the one, and the other stays open. */
	keep(row: ImportRow, bytesReceived: number): Promise<void>;
	/** Notes what a run came to. Returns false if it was no longer its own. */
	settle(row: ImportRow, outcome: Outcome, bytesReceived: number): Promise<boolean>;
	/** Returns whether the import has ended, or is gone. */
	hasEnded(id: string): Promise<boolean>;
	/** SQL: whether an import is due. */
	isDue(): Sql;
};

/** If a server is killed, another one goes on after this time. */
const leaseMilliseconds = 30_000;

export function createImportRows(
	{ database, clock, random }: Parts,
	{ pendingUploadSeconds }: { pendingUploadSeconds: number },
): ImportRows {
	const after = (milliseconds: number): Date => new Date(clock.now() + milliseconds);
	const due = (): Sql => sql`ended_at is null and not_before <= ${new Date(clock.now())}`;
	const write = async ({ id, run }: ImportRow, changes: Sql, follows: Sql = empty): Promise<ImportRow> => {
		const [row] = await database.query<ImportRow>(sql`
			with own as (
				update reelmill.imports set ${changes}, updated_at = ${new Date(clock.now())}
				where id = ${id} and run = ${run} and ended_at is null returning *)
			${follows} select * from own`);
		if (row === undefined) throw new ImportLost();
		return row;
	};
	/** However short uploads stay open, that of an import is still open when another server goes on. */
	const openMilliseconds = Math.max(pendingUploadSeconds * 1000, 3 * leaseMilliseconds);
	/**
	 * The part of a statement that lets the upload of `own` stay open for its whole time from `since` on. It is prolonged
	 * at its half, so that the row isn't written with each look.
	 */
	const keptOpen = (since: number): Sql => {
		const [until, half] = [since + openMilliseconds, since + openMilliseconds / 2];
		return sql`, open as (
			update reelmill.videos v set expires_at = ${new Date(until)} from own
			where v.id = own.video_id and v.state = 'pending_upload' and v.expires_at < ${new Date(half)})`;
	};

	return {
		isDue: () => sql`exists (select from reelmill.imports where ${due()})`,
		async take(room, running) {
			const run = random.uuid();
			return database.query<ImportRow>(sql`
				with waiting as (select distinct domain_id from reelmill.imports where ${due()}),
				due as (
					select i.id from waiting w join reelmill.domains d on d.id = w.domain_id and d.deleted_at is null, lateral (
						select id, not_before, row_number() over (order by not_before) + coalesce((${running}::jsonb ->> w.domain_id::text)::integer, 0) as turn
						from reelmill.imports where domain_id = w.domain_id and ${due()} order by not_before limit ${room}) i
					order by i.turn, i.not_before limit ${room}),
				own as (
					update reelmill.imports i set status = 'downloading', run = ${run}, not_before = ${after(leaseMilliseconds)}, failure_code = null, failure_message = null
					from due where i.id = due.id and ${due()} returning i.*)
				${keptOpen(clock.now())} select * from own`);
		},
		noteFile: (row, { content_type, file_size, validator }) =>
			write(row, sql`content_type = ${content_type}, file_size = ${file_size}, validator = ${validator}`),
		uploaderOf: ({ id, run }) =>
			sql`select input ->> 'uploader_ref' as uploader_ref from reelmill.imports where id = ${id} and run = ${run} and ended_at is null for share`,
		noteVideo: (row, videoId) =>
			write(
				row,
				sql`video_id = ${videoId}, input = input - 'title' - 'values'`,
				sql`${keptOpen(clock.now())}, video as (
					select v.id, v.domain_id, v.created_at from own join reelmill.videos v on v.id = own.video_id and v.deleted_at is null),
				titled as (
					insert into reelmill.video_titles (video_id, domain_id, title)
					select v.id, v.domain_id, t.title from video v, (select ${row.input.title ?? null}::text as title) t where t.title is not null
					on conflict do nothing),
				valued as (
					insert into reelmill.video_values (video_id, key, value, domain_id, created_at)
					select v.id, e.key, e.value, v.domain_id, v.created_at from video v, jsonb_each_text(${row.input.values ?? {}}::jsonb) e
					on conflict do nothing)`,
			),
		async keep(row, bytesReceived) {
			const changes = sql`bytes_received = ${bytesReceived}, not_before = ${after(leaseMilliseconds)}`;
			await write(row, changes, keptOpen(clock.now()));
		},
		async settle(row, outcome, bytesReceived) {
			if (outcome.kind === "lost") return false;
			const failure = outcome.kind === "failed" ? outcome : outcome.kind === "later" ? outcome.reason : null;
			// Of an upload that another run completed, this one counted nothing.
			const here = outcome.kind === "done" ? (row.file_size ?? bytesReceived) : bytesReceived;
			const said = sql`run = null, bytes_received = ${here}, failure_code = ${failure?.code ?? null}, failure_message = ${failure?.message ?? null}`;
			const end = () =>
				outcome.kind === "later"
					? write(
							row,
							sql`${said}, status = 'waiting', not_before = ${new Date(outcome.at)}, attempts = ${outcome.attempts}`,
							keptOpen(outcome.at),
						)
					: write(row, sql`${said}, status = ${outcome.kind}, url = null, ended_at = ${new Date(clock.now())}`);
			return end().then(
				() => true,
				(error: unknown) => {
					if (error instanceof ImportLost) return false;
					throw error;
				},
			);
		},
		async hasEnded(id) {
			const rows = await database.query(sql`select from reelmill.imports where id = ${id} and ended_at is null`);
			return rows.length === 0;
		},
	};
}
