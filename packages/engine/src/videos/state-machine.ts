import {
	type EventType,
	type FailureReason,
	isTerminal,
	ReelmillError,
	sourceFailureReasons,
	type VideoState,
} from "@reelmill/contracts";

/**
 * What can happen to a video. `begin` is the lock holder's first heartbeat; `requeue` gives the job back for another
 * attempt. `lose` and `adopt` are the check's: what is needed is no longer stored, or all that is needed is stored.
 * `reprocess` is an operator's.
 */
export type Command =
	| { readonly type: "complete_upload" }
	| { readonly type: "expire_upload" }
	| { readonly type: "admit" }
	| { readonly type: "claim" }
	| { readonly type: "begin" }
	| { readonly type: "requeue" }
	| { readonly type: "complete" }
	| { readonly type: "fail"; readonly reason: FailureReason }
	| { readonly type: "time_out_queue" }
	| { readonly type: "cancel" }
	| { readonly type: "lose"; readonly reason: FailureReason }
	| { readonly type: "adopt" }
	| { readonly type: "reprocess" };

/**
 * The whole life of a video. Only the check and operators have moves out of a terminal state. Documentation, SQL
 * trigger and tests are compared with this table.
 */
export const moves = {
	pending_upload: { complete_upload: "uploaded", expire_upload: "expired", fail: "failed", cancel: "cancelled" },
	uploaded: { admit: "queued", time_out_queue: "timeout", cancel: "cancelled", lose: "failed", adopt: "available" },
	queued: { claim: "locked", time_out_queue: "timeout", cancel: "cancelled", lose: "failed", adopt: "available" },
	locked: { begin: "encoding", requeue: "queued", complete: "available", fail: "failed", cancel: "cancelled" },
	encoding: { requeue: "queued", complete: "available", fail: "failed", cancel: "cancelled" },
	available: { lose: "failed" },
	failed: { adopt: "available", reprocess: "uploaded" },
	timeout: { adopt: "available" },
	expired: { adopt: "available" },
	cancelled: {},
} as const satisfies { readonly [S in VideoState]: { readonly [C in Command["type"]]?: VideoState } };

/** States that hold one of the domain's processing slots and have a job. */
export const processingStates = ["queued", "locked", "encoding"] as const satisfies readonly VideoState[];
/** States in which a worker holds the job. */
export const workedStates = ["locked", "encoding"] as const satisfies readonly VideoState[];
/** States in which deleting is refused: nothing is stored, and the 24-hour throttle counts the video. */
export const undeletableStates = ["expired", "cancelled"] as const satisfies readonly VideoState[];

export const isProcessing = (state: VideoState): boolean => (processingStates as readonly VideoState[]).includes(state);
export const isWorked = (state: VideoState): boolean => (workedStates as readonly VideoState[]).includes(state);

const events: { readonly [S in VideoState]?: EventType } = {
	available: "video.ready",
	failed: "video.failed",
	timeout: "video.failed",
	expired: "video.expired",
	cancelled: "video.cancelled",
};

/**
 * Returns the state that `command` leads to from `state`.
 *
 * @throws {ReelmillError} `invalid_state` when the table has no such move.
 */
export function target<S extends VideoState>(state: S, command: Command["type"]): VideoState {
	const row: { readonly [C in Command["type"]]?: VideoState } = moves[state];
	const to = row[command];
	if (to === undefined)
		throw new ReelmillError("invalid_state", {
			message: `A video that is ${state} cannot take the command ${command}.`,
		});
	return to;
}

/** What a move causes beside the new state; saved together with it. */
export type Decision = {
	readonly state: VideoState;
	readonly failureReason: FailureReason | null;
	readonly event: EventType | null;
	/** The job ends, and the domain's processing slot is free again. */
	readonly endsJob: boolean;
	/** The raw upload is no longer needed. */
	readonly discardsUpload: boolean;
	/** The raw upload that is no longer needed is kept for a while: the failure lies not in it. */
	readonly keepsUpload: boolean;
	/** Outputs of attempts are no longer needed. */
	readonly discardsOutputs: boolean;
};

/**
 * Decides what comes of `command` in `state`. Pure.
 *
 * @throws {ReelmillError} `invalid_state` when the table has no such move.
 *
 * @example
 * ```ts
 * import { decide } from "@reelmill/engine";
 *
 * const { state, event, discardsUpload } = decide("pending_upload", { type: "expire_upload" });
 * console.log(state, event, discardsUpload); // => expired video.expired true
 * ```
 */
export function decide(state: VideoState, command: Command): Decision {
	const to = target(state, command.type);
	const ended = isTerminal(to);
	// A backup may complete what is left of something lost. The check says how long that is kept.
	const discards = ended && command.type !== "lose";
	return {
		state: to,
		failureReason:
			command.type === "fail" || command.type === "lose"
				? command.reason
				: command.type === "time_out_queue"
					? "queue_timeout"
					: null,
		event: events[to] ?? null,
		endsJob: isProcessing(state) && ended,
		discardsUpload: discards,
		keepsUpload: command.type === "fail" && !(sourceFailureReasons as readonly string[]).includes(command.reason),
		discardsOutputs: isProcessing(state) && discards && to !== "available",
	};
}
