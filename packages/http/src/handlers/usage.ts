import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "getLimits" | "getUsage" | "listUsageDays" | "getFirstSteps";

export const usageHandlers = ({ limits, usage }: Engine): Pick<Handlers, Names> => ({
	getLimits: ({ principal }) => limits.get(principal),
	getUsage: ({ principal }) => usage.get(principal),
	listUsageDays: ({ principal, input }) => usage.days(principal, input.query),
	getFirstSteps: ({ principal }) => usage.firstSteps(principal),
});
