import * as z from "zod";
import { Timestamp } from "./common.ts";
import { LimitsView } from "./usage.ts";

/** A key that sees and plays only the videos that were made with it. */
export const SandboxSession = z.object({
	api_key: z.string().meta({ description: "The key of this session. It is shown this once." }),
	expires_at: Timestamp.meta({ description: "When the key stops working." }),
	limits: LimitsView.meta({ description: "What may be uploaded with it." }),
});
export type SandboxSession = z.infer<typeof SandboxSession>;
