import sql, { type Sql } from "sql-template-tag";

/** A worker that asks for a job. */
export type Claimant = {
	/** For logs. */
	readonly worker: string;
	/** Whether it takes chunks. Only such a worker gets help with a video. */
	readonly takesChunks: boolean;
	/** Whether it can make transcripts of available videos. */
	readonly takesTranscripts: boolean;
	/** Whether it can cut clips out of finished videos. */
	readonly takesClips: boolean;
	/** Whether it makes posters of available videos. */
	readonly takesPosters: boolean;
	/** Whether it takes jobs of the sandbox. */
	readonly takesSandbox: boolean;
	/** A name that all workers share which share processors; null if a worker shares them with no other. */
	readonly machine: string | null;
};

/** What of a worker counts for a job of one kind. */
export type Taker = Pick<Claimant, "worker" | "takesSandbox"> & Partial<Pick<Claimant, "takesClips">>;

/** SQL: whether video `v` is for a worker that takes jobs of the sandbox, or doesn't. */
export const isFor = (takesSandbox: boolean): Sql => (takesSandbox ? sql`true` : sql`v.session_id is null`);
