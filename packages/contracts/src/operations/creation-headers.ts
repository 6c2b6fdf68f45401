import * as z from "zod";
import { limits } from "../limits.ts";

/**
 * Makes the header by which a creation is safe to repeat. Each creation has an example of its own: a reader who copies
 * one example for two creations would be refused.
 */
export const creationHeaders = (example: string) =>
	z.object({
		"Idempotency-Key": z
			.string()
			.min(1)
			.max(limits.idempotencyKey.length)
			.regex(/^[!-~]+$/)
			.optional()
			.meta({
				description:
					"Your own name for this one creation, such as a random UUID; visible ASCII. For 24 hours the same key with the same body gets the same answer and creates nothing more, at once too; with another body it is `validation_error`. A refused request leaves its key unused. Keys are those of the domain, or of the sandbox session.",
				examples: [example],
			}),
	});
