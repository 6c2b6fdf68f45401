import { type EventType, type FailureReason, isTerminal, ReelmillError, type VideoState } from "@reelmill/contracts";

/**
 * What can happen to a video. `begin` is the lock holder's first heartbeat; `requeue` gives the job back for another
 * attempt. `lose` and `adopt` are the check's: what is needed isn't stored any more, or all that is needed is.
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
	| { readonly type: "adopt" };

/**
 * The whole life of a video. Out of a terminal state only the check has moves. Docs, SQL trigger and tests are held
 * against this table.
 */
export const moves = {
	pending_upload: { complete_upload: "uploaded", expire_upload: "expired", cancel: "cancelled" },
	uploaded: { admit: "queued", time_out_queue: "timeout", cancel: "cancelled", lose: "failed", adopt: "available" },
	queued: { claim: "locked", time_out_queue: "timeout", cancel: "cancelled", lose: "failed", adopt: "available" },
	locked: { begin: "encoding", requeue: "queued", complete: "available", fail: "failed", cancel: "cancelled" },
	encoding: { requeue: "queued", complete: "available", fail: "failed", cancel: "cancelled" },
	available: { lose: "failed" },
	failed: { adopt: "available" },
	timeout: { adopt: "available" },
	expired: { adopt: "available" },
	cancelled: {},
} as const satisfies { readonly [S in VideoState]: { readonly [C in Command["type"]]?: VideoState } };

/** States that hold one of the domain's processing slots, and have a job. */
export const processingStates = ["queued", "locked", "encoding"] as const satisfies readonly VideoState[];
/** States in which a worker holds the job. */
export const workedStates = ["locked", "encoding"] as const satisfies readonly VideoState[];
/** Deleting is refused here: nothing is stored, and the 24-hour throttle counts them. */
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

/** The state that `command` leads to from `state`. Throws `invalid_state` where the table has no such move. */
export function target<S extends VideoState>(state: S, command: Command["type"]): VideoState {
	const row: { readonly [C in Command["type"]]?: VideoState } = moves[state];
	const to = row[command];
	if (to === undefined)
		throw new ReelmillError("invalid_state", {
			message: `A video that is ${state} cannot take the command ${command}.`,
		});
	return to;
}

/** What a move brings about beside the new state; saved together with it. */
export type Decision = {
	readonly state: VideoState;
	readonly failureReason: FailureReason | null;
	readonly event: EventType | null;
	/** The job ends, and the domain's processing slot is free again. */
	readonly endsJob: boolean;
	/** The raw upload is of no use any more. */
	readonly discardsUpload: boolean;
	/** Outputs of attempts are of no use any more. */
	readonly discardsOutputs: boolean;
};

/** Pure: what comes of `command` in `state`. Throws `invalid_state` where the table has no such move. */
export function decide(state: VideoState, command: Command): Decision {
	const to = target(state, command.type);
	const ended = isTerminal(to);
	// What is left of something lost may be completed from a backup: the check says how long it is kept.
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
		discardsOutputs: isProcessing(state) && discards && to !== "available",
	};
}
