import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Name =
	| "getJobQueue"
	| "claimJob"
	| "claimJobById"
	| "heartbeatJob"
	| "presignJobOutputs"
	| "completeJob"
	| "failJob"
	| "offerJobChunks"
	| "nextJobChunk";

export const jobHandlers = ({ admin, jobs }: Engine, archiveBytes: number): Pick<Handlers, Name> => ({
	getJobQueue: () => admin.jobQueue(),
	claimJob: async ({ principal, input, signal, by }) =>
		(await jobs.claim(principal, input.body, signal, by.address)) ?? undefined,
	claimJobById: ({ principal, input, by }) => jobs.claimById(principal, input.params.id, input.body, by.address),
	heartbeatJob: ({ input }) => jobs.heartbeat(input.params.id, input.body),
	presignJobOutputs: ({ input }) => jobs.outputUrls(input.params.id, input.body, archiveBytes),
	completeJob: ({ input }) => jobs.complete(input.params.id, input.body),
	failJob: ({ input }) => jobs.fail(input.params.id, input.body),
	offerJobChunks: ({ input }) => jobs.offerChunks(input.params.id, input.body),
	nextJobChunk: ({ input }) => jobs.nextChunk(input.params.id, input.body),
});
