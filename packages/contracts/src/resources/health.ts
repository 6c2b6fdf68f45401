import * as z from "zod";

/** That the server answers, and its version. */
export const Health = z.object({ status: z.literal("ok"), version: z.string() });
export type Health = z.infer<typeof Health>;

/** Whether each part that the server needs answers, by its name. `status` is `ok` if all of them do. */
export const Readiness = z.object({ status: z.enum(["ok", "unavailable"]), checks: z.record(z.string(), z.boolean()) });
export type Readiness = z.infer<typeof Readiness>;
