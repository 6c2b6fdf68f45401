import * as z from "zod";

export const Health = z.object({ status: z.literal("ok"), version: z.string() });
export type Health = z.infer<typeof Health>;

/** Each part that the server needs, by name, and whether it answers. `status` is ok when all of them do. */
export const Readiness = z.object({ status: z.enum(["ok", "unavailable"]), checks: z.record(z.string(), z.boolean()) });
export type Readiness = z.infer<typeof Readiness>;
