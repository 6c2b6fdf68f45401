/** How long things may take or are kept, in seconds. */
export type Windows = {
	/** The time for an upload; an incomplete upload then expires (default: 3600). */
	readonly pendingUpload: number;
	/** A worker that doesn't renew its lock for this long loses it (default: 90). */
	readonly lock: number;
	/** The time for processing a video, over all attempts (default: 14,400). */
	readonly processing: number;
	/** How long a video may wait for a worker (default: 86,400). */
	readonly queue: number;
	/** How long the previous key or secret still works after a rotation (default: 3600). */
	readonly rotationGrace: number;
	/** How long a sandbox session's key works, and how long its videos are kept (default: 86,400). */
	readonly sandbox: number;
	/**
	 * How long a console session lasts in which nothing is asked; known to a tenth, a minute at most (default: 43,200).
	 */
	readonly consoleIdle: number;
	/** How long a console session lasts in all (default: 7 days). */
	readonly consoleSession: number;
	/**
	 * The wait between two sweeps, which do what only time brings about. What can wait is done with each twelfth one
	 * (default: 5).
	 */
	readonly sweep: number;
	/**
	 * The wait before each webhook attempt. Its length is the number of attempts (default: 0, 30, 300, 3600, 21,600
	 * and 86,400).
	 */
	readonly webhookSchedule: readonly number[];
	/** How long a delivery stays in the log after its last attempt. A pending one stays (default: 30 days). */
	readonly webhookLog: number;
	/**
	 * How long these rows stay: a deleted video's after its deletion, a sandbox video's after its session's end, and an
	 * unused storage profile's. At least one day (default: 30 days).
	 */
	readonly keepDeleted: number;
	/**
	 * How long an expired or cancelled video can still be asked for. At least one day, because the throttle counts
	 * expired videos (default: 90 days).
	 */
	readonly keepEnded: number;
	/**
	 * How long the raw upload of a failed video is kept, so that an operator can have it processed anew. An upload that
	 * can't be processed itself is deleted at once (default: 0, at once).
	 */
	readonly keepFailed: number;
	/** How long an import stays listed after its end (default: 30 days). */
	readonly keepImports: number;
	/** How long the origin of an import may send nothing (default: 30). */
	readonly importSilence: number;
	/** How long the daily usage of domains, and what failed, is kept (default: 400 days). */
	readonly keepUsage: number;
	/** How long the audit log tells of a change (default: 400 days). */
	readonly keepAudit: number;
	/** The check ignores rows and objects that were changed more recently than this (default: 3600). */
	readonly untouched: number;
};

/** How long things take, in seconds, unless an installation says otherwise. */
export const defaultWindows: Windows = {
	pendingUpload: 3600,
	lock: 90,
	processing: 14_400,
	queue: 86_400,
	rotationGrace: 3600,
	sandbox: 86_400,
	consoleIdle: 43_200,
	consoleSession: 7 * 86_400,
	sweep: 5,
	webhookSchedule: [0, 30, 300, 3600, 21_600, 86_400],
	webhookLog: 30 * 86_400,
	keepDeleted: 30 * 86_400,
	keepEnded: 90 * 86_400,
	keepFailed: 0,
	keepImports: 30 * 86_400,
	importSilence: 30,
	keepUsage: 400 * 86_400,
	keepAudit: 400 * 86_400,
	untouched: 3600,
};
