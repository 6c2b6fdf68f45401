import type { WorkerFault } from "@reelmill/contracts/worker-faults";

/** Why a source can't be processed, in the words of the contract's `failure_reason`. Another attempt would fail too. */
export type MediaFailure = "invalid_media" | "no_video_stream" | "duration_too_long" | "dimensions_too_large";

/**
 * The source is at fault, and another attempt would fail as well. `message` is one sentence for people. `size` is that
 * of a picture which is too large to be measured further, as displayed.
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { MediaError, probe } from "@reelmill/media";
 *
 * await writeFile("notes.mp4", "This is no video.");
 * try {
 * 	await probe("notes.mp4", { ffmpeg: "ffmpeg", ffprobe: "ffprobe" });
 * } catch (error) {
 * 	if (error instanceof MediaError) console.log(error.reason); // => invalid_media
 * }
 * ```
 */
export class MediaError extends Error {
	override readonly name = "MediaError";
	readonly reason: MediaFailure;
	readonly size: { readonly width: number; readonly height: number } | undefined;
	constructor(
		reason: MediaFailure,
		message: string,
		{ size, ...options }: ErrorOptions & Partial<Pick<MediaError, "size">> = {},
	) {
		super(message, options);
		this.reason = reason;
		this.size = size;
	}
}

/**
 * A program, such as ffmpeg, ended with a code other than 0 or was ended by a signal. `stderr` has the last 8 KiB of
 * what it said. Another attempt may succeed.
 * @example
 * ```ts
 * import { ProgramError } from "@reelmill/media";
 *
 * const error = new ProgramError("ffmpeg", { code: 1, killedBy: null, stderr: "No such filter: 'zscale'" });
 * console.log(error.message); // => ffmpeg ended with code 1: No such filter: 'zscale'
 * console.log(error.ending); // => ffmpeg ended with code 1
 * ```
 */
export class ProgramError extends Error {
	override readonly name = "ProgramError";
	readonly program: string;
	readonly code: number | null;
	readonly killedBy: string | null;
	readonly stderr: string;
	/** How the program ended, without what it said, which may tell of the machine. */
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

/**
 * The machine is at fault: a program is missing or stands still, or the disk is full. Another machine may succeed.
 * @example
 * ```ts
 * import { MachineError, probe } from "@reelmill/media";
 *
 * try {
 * 	await probe("clip.mp4", { ffmpeg: "ffmpeg", ffprobe: "/nowhere/ffprobe" });
 * } catch (error) {
 * 	if (error instanceof MachineError) console.log(error.fault); // => program_unusable
 * }
 * ```
 */
export class MachineError extends Error {
	override readonly name = "MachineError";
	/** The code of `@reelmill/contracts/worker-faults`. */
	readonly fault: WorkerFault;
	constructor(fault: WorkerFault, message: string, options?: ErrorOptions) {
		super(message, options);
		this.fault = fault;
	}
}
