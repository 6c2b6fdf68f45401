import type { Visibility } from "@reelmill/contracts";
import fc from "fast-check";

/** Which of the locks that a video was ever given: the last one, the one before it, or one that never was. */
export type WhichLock = "last" | "earlier" | "none";

/**
 * What a client, a worker, a server or time may do. Videos are counted; the count is taken modulo the videos there are.
 */
export type Action =
	| { readonly type: "initiate"; readonly tenant: number; readonly uploader: string | null; readonly size: number }
	| {
			readonly type:
				| "create"
				| "status"
				| "terminate"
				| "cancel"
				| "delete"
				| "claimThis"
				| "loseCompletion"
				| "loseWorkers";
			readonly video: number;
	  }
	| { readonly type: "append"; readonly video: number; readonly bytes: number }
	| { readonly type: "show"; readonly video: number; readonly visibility: Visibility }
	| { readonly type: "claim" }
	| { readonly type: "heartbeat" | "deliver" | "complete"; readonly video: number; readonly lock: WhichLock }
	| {
			readonly type: "fail";
			readonly video: number;
			readonly lock: WhichLock;
			readonly retryable: boolean;
			readonly stopped: boolean;
	  }
	| { readonly type: "sweep" };
export type Wait = { readonly type: "wait"; readonly seconds: number };

const video = fc.nat({ max: 4 });
const lock = fc.oneof(
	{ weight: 8, arbitrary: fc.constant("last" as const) },
	fc.constant("earlier" as const),
	fc.constant("none" as const),
);
const all = 100;
const of = <const T extends Action["type"]>(type: T) => fc.record({ type: fc.constant(type), video });

const initiate = fc.record({
	type: fc.constant("initiate" as const),
	tenant: fc.nat({ max: 1 }),
	uploader: fc.constantFrom("anna", "bert", null),
	size: fc.constantFrom(6, 9),
});
const append = fc.record({
	type: fc.constant("append" as const),
	video,
	bytes: fc.oneof(fc.constantFrom(0, 2, 5, 12), { weight: 3, arbitrary: fc.constant(all) }),
});
const claim = fc.constant({ type: "claim" as const });
const sweep = fc.constant({ type: "sweep" as const });
const work = fc.record({
	type: fc.constantFrom("heartbeat" as const, "deliver" as const, "complete" as const),
	video,
	lock,
});
const fail = fc.record({
	type: fc.constant("fail" as const),
	video,
	lock,
	retryable: fc.boolean(),
	stopped: fc.boolean(),
});
const show = fc.record({
	type: fc.constant("show" as const),
	video,
	visibility: fc.constantFrom("public" as const, "private" as const),
});

/** `all` bytes mean the rest of the upload. */
export const restOf = (bytes: number, left: number): number => (bytes === all ? left : bytes);

export const anyAction: fc.Arbitrary<Action> = fc.oneof(
	{ weight: 4, arbitrary: initiate },
	{ weight: 3, arbitrary: of("create") },
	{ weight: 6, arbitrary: append },
	{ weight: 1, arbitrary: of("status") },
	{ weight: 1, arbitrary: of("loseCompletion") },
	{ weight: 1, arbitrary: of("loseWorkers") },
	{ weight: 1, arbitrary: of("terminate") },
	{ weight: 2, arbitrary: of("cancel") },
	{ weight: 2, arbitrary: of("delete") },
	{ weight: 1, arbitrary: show },
	{ weight: 5, arbitrary: claim },
	{ weight: 2, arbitrary: of("claimThis") },
	{ weight: 9, arbitrary: work },
	{ weight: 3, arbitrary: fail },
	{ weight: 2, arbitrary: sweep },
);

/** An upload from its first byte to its last in two actions, so that runs reach the later states often. */
export const anyWait: fc.Arbitrary<Wait> = fc.record({
	type: fc.constant("wait" as const),
	seconds: fc.constantFrom(5, 10, 30, 40, 60, 100),
});
