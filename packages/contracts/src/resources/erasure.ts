import * as z from "zod";
import { Reference } from "./common.ts";

/** Whose videos and references are erased. */
export const CreateErasure = z.strictObject({
	uploader_ref: Reference.meta({ description: "Your own id for the person, as its uploads named it." }),
});
export type CreateErasure = z.infer<typeof CreateErasure>;

/** What an erasure came to: how many videos it deletes, and of how many others it forgot the references. */
export const Erasure = z.object({
	deleted: z
		.int()
		.min(0)
		.meta({ description: "Videos that are deleted, as by DELETE: at once, or within minutes if there are many." }),
	forgotten: z.int().min(0).meta({
		description:
			"The person's other videos, which expired, were cancelled or had been deleted: only their references are gone.",
	}),
});
export type Erasure = z.infer<typeof Erasure>;
