import sql, { type Sql } from "sql-template-tag";
import type { Claimant } from "./claimant.ts";

/**
 * A kind of job on a video that is available already. Its rows are a table's, called `t`: a row is a job, exists as long
 * as the job is wanted, and locks itself. Of each video there is one row at most.
 */
export type LateKind = {
	readonly kind: "transcript" | "poster";
	readonly table: Sql;
	/** The column that is the job's id. */
	readonly id: Sql;
	/** The folder of the video that has a folder for each attempt's outputs, named as its lock. */
	readonly folder: string;
	/** SQL: the name of the folder beside them with what job `o` is made of; null if there is none. */
	readonly given: Sql;
	readonly takes: (claimant: Pick<Claimant, "takesTranscripts" | "takesPosters">) => boolean;
	/** SQL: whether worker `s` takes such jobs. */
	readonly isTakenBy: Sql;
};

/** Transcripts that were `unavailable`. The id of the job is its video's. */
export const lateTranscripts: LateKind = {
	kind: "transcript",
	table: sql`reelmill.transcriptions`,
	id: sql`video_id`,
	folder: "transcripts",
	given: sql`null::uuid`,
	takes: ({ takesTranscripts }) => takesTranscripts,
	isTakenBy: sql`s.takes_transcripts`,
};

/** Pictures that tenants choose. Each job has an id of its own, and may have a picture that was sent. */
export const latePosters: LateKind = {
	kind: "poster",
	table: sql`reelmill.posters`,
	id: sql`id`,
	folder: "posters",
	given: sql`case when o.content_type is not null then o.id end`,
	takes: ({ takesPosters }) => takesPosters,
	isTakenBy: sql`s.takes_posters`,
};

export const lateKinds: readonly LateKind[] = [latePosters, lateTranscripts];
