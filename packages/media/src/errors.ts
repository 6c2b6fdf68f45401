/**
 * Why a source can't be processed, whoever tries and however often. The words are those of the contract's
 * `failure_reason`.
 */
export type MediaFailure = "invalid_media" | "no_video_stream" | "duration_too_long" | "dimensions_too_large";

/** The source itself is at fault: trying again brings nothing. `message` is one sentence for people. */
export class MediaError extends Error {
	override readonly name = "MediaError";
	readonly reason: MediaFailure;
	constructor(reason: MediaFailure, message: string, options?: ErrorOptions) {
		super(message, options);
		this.reason = reason;
	}
}

/**
 * ffmpeg or ffprobe ended with another code than 0, or was ended by a signal. `stderr` holds the last 8 KiB of what it
 * said.
 */
export class ProgramError extends Error {
	override readonly name = "ProgramError";
	readonly program: string;
	readonly code: number | null;
	readonly killedBy: string | null;
	readonly stderr: string;
	/** What happened, without what the program said: that may tell of the machine. */
	readonly ending: string;
	constructor(program: string, end: { code: number | null; killedBy: string | null; stderr: string }) {
		const ending = `${program} ${end.killedBy === null ? `ended with code ${end.code}` : `was ended by ${end.killedBy}`}`;
		super(`${ending}: ${end.stderr.trim().split("\n").slice(-3).join(" / ") || "it said nothing"}`);
		this.program = program;
		this.code = end.code;
		this.killedBy = end.killedBy;
		this.stderr = end.stderr;
		this.ending = ending;
	}
}
