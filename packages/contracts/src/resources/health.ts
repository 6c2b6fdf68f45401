import * as z from "zod";

/** That the server answers, and its version. */
export const Health = z.object({
	status: z.literal("ok").meta({ description: "`ok` whenever there is an answer." }),
	version: z.string().meta({ description: "The server's version, not the API's." }),
});
export type Health = z.infer<typeof Health>;

/** Whether each part that the server needs answers, by its name. `status` is `ok` if all of them do. */
export const Readiness = z.object({
	status: z.enum(["ok", "unavailable"]).meta({ description: "`ok` if every check passed." }),
	checks: z.record(z.string(), z.boolean()).meta({ description: "Whether each part answers, by its name." }),
});
export type Readiness = z.infer<typeof Readiness>;
