import { setTimeout as pause } from "node:timers/promises";
import { createFakeClock } from "@reelmill/engine/testing";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Claimant } from "../../../src/jobs/workers/claimant.ts";
import { createWaitingRoom } from "../../../src/jobs/workers/waiting-room.ts";

it("a claim that fails rejects for its own worker alone, and is no error that nobody handles", async () => {
	const room = createWaitingRoom({ clock: createFakeClock() } as never, {
		ask: async ({ worker }) => {
			if (worker === "first") throw new Error("the connection was lost");
			return null;
		},
		// While the others are thought of, nobody waits for what failed yet.
		isAnyKept: () => pause(20, true),
		waitingWork: () => sql`false`,
		waitingWorkers: { enter: async () => () => undefined, isInUse: () => false, refresh: () => undefined } as never,
		pulse: { ask: () => undefined, hold: () => () => undefined } as never,
	});
	const claimant = (worker: string): Claimant => ({
		worker,
		machine: null,
		takesChunks: false,
		takesTranscripts: false,
		takesClips: false,
		takesPosters: false,
		takesSandbox: true,
	});
	const leaving = new AbortController();
	const first = room.wait(claimant("first"), 30_000);
	const second = room.wait(claimant("second"), 30_000, leaving.signal);
	await expect(first).rejects.toThrow("the connection was lost");
	leaving.abort();
	expect(await second).toBeNull();
});
