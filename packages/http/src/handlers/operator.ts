import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";
import type { HttpOptions } from "../options.ts";

type Names = "getQueue" | "listJobs" | "listWorkers" | "listFailures" | "listFailedVideos" | "getSystem";

export const operatorHandlers = (
	{ admin }: Engine,
	serverFacts: HttpOptions["serverFacts"],
): Pick<Handlers, Names> => ({
	getQueue: () => admin.queue(),
	listJobs: ({ input }) => admin.listJobs(input.query),
	listWorkers: ({ input }) => admin.listWorkers(input.query),
	listFailures: ({ input }) => admin.listFailures(input.query),
	listFailedVideos: ({ input }) => admin.listFailedVideos(input.query),
	getSystem: async () => ({ ...(await admin.system()), server: (await serverFacts?.()) ?? null }),
});
