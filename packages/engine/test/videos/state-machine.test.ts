import { isTerminal, type VideoState, videoStates } from "@reelmill/contracts";
import { type Command, decide, moves } from "@reelmill/engine";
import { describe, expect, it } from "vitest";

const commands: Command[] = [
	{ type: "complete_upload" },
	{ type: "expire_upload" },
	{ type: "admit" },
	{ type: "claim" },
	{ type: "begin" },
	{ type: "requeue" },
	{ type: "complete" },
	{ type: "fail", reason: "invalid_media" },
	{ type: "time_out_queue" },
	{ type: "cancel" },
	{ type: "lose", reason: "storage_error" },
	{ type: "adopt" },
	{ type: "reprocess" },
];

/** Written out from the specification, apart from the table under test. */
const expected: Record<string, VideoState> = {
	"pending_upload complete_upload": "uploaded",
	"pending_upload expire_upload": "expired",
	"pending_upload fail": "failed",
	"pending_upload cancel": "cancelled",
	"uploaded admit": "queued",
	"uploaded time_out_queue": "timeout",
	"uploaded cancel": "cancelled",
	"queued claim": "locked",
	"queued time_out_queue": "timeout",
	"queued cancel": "cancelled",
	"locked begin": "encoding",
	"locked requeue": "queued",
	"locked complete": "available",
	"locked fail": "failed",
	"locked cancel": "cancelled",
	"encoding requeue": "queued",
	"encoding complete": "available",
	"encoding fail": "failed",
	"encoding cancel": "cancelled",
	// Beyond the specification: the check's.
	"uploaded lose": "failed",
	"uploaded adopt": "available",
	"queued lose": "failed",
	"queued adopt": "available",
	"available lose": "failed",
	"failed adopt": "available",
	"timeout adopt": "available",
	"expired adopt": "available",
	// An operator's.
	"failed reprocess": "uploaded",
};

describe("the life of a video", () => {
	for (const state of videoStates) {
		for (const command of commands) {
			const to = expected[`${state} ${command.type}`];
			it(`${state} with ${command.type} ${to ? `becomes ${to}` : "is refused"}`, () => {
				if (to === undefined)
					expect(() => decide(state, command)).toThrow(expect.objectContaining({ code: "invalid_state" }));
				else expect(decide(state, command).state).toBe(to);
			});
		}
	}

	it("has no move out of a terminal state but the check's and the operator's, and one out of every other", () => {
		const ofCheck = ["lose", "adopt", "reprocess"];
		for (const state of videoStates)
			expect(Object.keys(moves[state]).every((command) => ofCheck.includes(command))).toBe(isTerminal(state));
	});

	it("keeps what is left where something was lost, and tells of it", () => {
		const lost = decide("queued", { type: "lose", reason: "source_missing" });
		expect(lost).toMatchObject({
			event: "video.failed",
			failureReason: "source_missing",
			endsJob: true,
			discardsUpload: false,
			discardsOutputs: false,
		});
		const adopted = decide("expired", { type: "adopt" });
		expect(adopted).toMatchObject({
			event: "video.ready",
			failureReason: null,
			endsJob: false,
			discardsOutputs: false,
		});
	});

	it("tells the events of the specification, and says why a video failed", () => {
		expect(decide("encoding", { type: "complete" })).toMatchObject({
			event: "video.ready",
			failureReason: null,
			discardsUpload: true,
			discardsOutputs: false,
			endsJob: true,
		});
		expect(decide("locked", { type: "fail", reason: "processing_timeout" })).toMatchObject({
			event: "video.failed",
			failureReason: "processing_timeout",
			discardsOutputs: true,
		});
		expect(decide("queued", { type: "time_out_queue" })).toMatchObject({
			event: "video.failed",
			failureReason: "queue_timeout",
		});
		expect(decide("pending_upload", { type: "expire_upload" })).toMatchObject({
			event: "video.expired",
			endsJob: false,
		});
		expect(decide("uploaded", { type: "cancel" })).toMatchObject({
			event: "video.cancelled",
			endsJob: false,
			discardsUpload: true,
		});
		expect(decide("locked", { type: "requeue" })).toMatchObject({ event: null, endsJob: false, discardsUpload: false });
	});
});
