import * as z from "zod";
import { Timestamp } from "./common.ts";
import { LimitsView } from "./usage.ts";

/** A key that sees and plays only the videos that were made with it. */
export const SandboxSession = z.object({ api_key: z.string(), expires_at: Timestamp, limits: LimitsView });
export type SandboxSession = z.infer<typeof SandboxSession>;
