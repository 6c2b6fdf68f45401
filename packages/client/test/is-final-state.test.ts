import type { VideoState } from "@reelmill/contracts/types";
import { expect, it } from "vitest";
import { isFinalState } from "../src/index.ts";

const isFinal: Record<VideoState, boolean> = {
	pending_upload: false,
	uploaded: false,
	queued: false,
	locked: false,
	encoding: false,
	available: true,
	failed: true,
	timeout: true,
	expired: true,
	cancelled: true,
};

it.each(Object.entries(isFinal))("says of the state %s whether it stays: %s", (state, stays) => {
	expect(isFinalState(state)).toBe(stays);
});

it("takes a state that it does not know, and none at all, for one that changes", () => {
	expect([isFinalState("from_the_future"), isFinalState(""), isFinalState(undefined)]).toEqual([false, false, false]);
});
