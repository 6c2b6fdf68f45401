import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const usageHandlers = ({ limits, usage }: Engine): Pick<Handlers, "getLimits" | "getUsage"> => ({
	getLimits: ({ principal }) => limits.get(principal),
	getUsage: ({ principal }) => usage.get(principal),
});
