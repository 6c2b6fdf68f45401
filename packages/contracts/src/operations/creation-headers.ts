import * as z from "zod";
import { limits } from "../limits.ts";

/** The header that makes a creation safe to repeat. */
export const creationHeaders = z.object({
	"Idempotency-Key": z
		.string()
		.min(1)
		.max(limits.idempotencyKey.length)
		.regex(/^[!-~]+$/)
		.optional()
		.meta({
			description:
				"The caller's own name for this one creation, such as a random UUID; visible ASCII. For 24 hours the same key with the same body gets the same answer and creates nothing more, also if both requests come at once. The same key with another body is `validation_error`. A refused request leaves its key unused. Keys are those of the domain, or of the sandbox session.",
			examples: ["6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"],
		}),
});
