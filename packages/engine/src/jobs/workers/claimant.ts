/** A worker that asks for a job. */
export type Claimant = {
	/** For logs. */
	readonly worker: string;
	/** Whether it takes chunks. Only such a worker gets help with a video. */
	readonly takesChunks: boolean;
	/** Whether it can make transcripts of available videos. */
	readonly takesTranscripts: boolean;
	/** Whether it takes jobs of the sandbox. */
	readonly takesSandbox: boolean;
	/** A name that all workers share which share processors; null if a worker shares them with no other. */
	readonly machine: string | null;
};
