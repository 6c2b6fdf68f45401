import { isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";
import type { HttpOptions } from "../options.ts";

type Names =
	| "getQueue"
	| "listJobs"
	| "listWorkers"
	| "listFailures"
	| "listFailedVideos"
	| "reprocessVideo"
	| "getSystem";

export const operatorHandlers = (
	{ admin }: Engine,
	serverFacts: HttpOptions["serverFacts"],
): Pick<Handlers, Names> => ({
	getQueue: () => admin.queue(),
	listJobs: ({ input }) => admin.listJobs(input.query),
	listWorkers: ({ input }) => admin.listWorkers(input.query),
	listFailures: ({ input }) => admin.listFailures(input.query),
	listFailedVideos: ({ input }) => admin.listFailedVideos(input.query),
	reprocessVideo: async ({ input: { params }, by }) => {
		if (!isUuidV4(params.id)) throw new ReelmillError("video_not_found");
		return admin.reprocess(params.id, by);
	},
	getSystem: async () => ({ ...(await admin.system()), server: (await serverFacts?.()) ?? null }),
});
