import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const jobHandlers = ({ jobs }: Engine): Pick<Handlers, "claimJob" | "claimJobById" | "heartbeatJob" | "completeJob" | "failJob"> => ({
	claimJob: async ({ principal, input, signal }) => (await jobs.claim(principal, input.body, signal)) ?? undefined,
	claimJobById: ({ principal, input }) => jobs.claimById(principal, input.params.id, input.body),
	heartbeatJob: ({ input }) => jobs.heartbeat(input.params.id, input.body),
	completeJob: ({ input }) => jobs.complete(input.params.id, input.body),
	failJob: ({ input }) => jobs.fail(input.params.id, input.body),
});
