import * as z from "zod";
import { differenceKinds } from "../differences.ts";
import { Id, Timestamp } from "./common.ts";

/** What one step of the check is to look at, and whether it repairs. */
export const CheckRequest = z.strictObject({
	cursor: z
		.string()
		.min(1)
		.max(2000)
		.optional()
		.meta({ description: "`cursor` of the step before, verbatim; left out for the first." }),
	repair: z.boolean().default(false).meta({
		description: "Marks what can't be played or encoded as failed, and puts counters and public copies right.",
	}),
	adopt: z
		.boolean()
		.default(false)
		.meta({ description: "Makes videos available whose outputs are stored completely." }),
	remove_orphans: z.boolean().default(false).meta({ description: "Deletes what is stored and no row needs." }),
	remove_unknown_domains: z
		.boolean()
		.default(false)
		.meta({ description: "Deletes outputs of domains that are not known here." }),
	young: z.boolean().default(false).meta({
		description:
			"Looks at what was written within the last hour as well. Only for a server at rest: what is just being written would count as lost or as unused.",
	}),
	deep: z.boolean().default(false).meta({
		description:
			"Also reads every output, and compares its bytes with the sum that is kept of them. Say it at each step.",
	}),
});
export type CheckRequest = z.infer<typeof CheckRequest>;

/** One difference between database and storage. */
export const Difference = z.object({
	kind: z.enum(differenceKinds).meta({ description: "What differs." }),
	place: z.string().meta({
		description: "`local`, `location:` with its id, or `profile:` with the id of a tenant's storage profile.",
	}),
	reference: z.string().meta({ description: "The key, the prefix or the id that it is about." }),
	domain_id: Id.nullable().meta({ description: "The domain that it belongs to; null if it belongs to none." }),
	video_id: Id.nullable().meta({ description: "The video's, or the outro asset's." }),
	message: z.string().meta({ description: "What differs, for people." }),
	mended: z.boolean().meta({ description: "Whether this step put it right, as it was told to." }),
});
export type Difference = z.infer<typeof Difference>;

/** What one step of the check found, and where the next one goes on. */
export const CheckStep = z.object({
	differences: z.array(Difference).meta({ description: "What this step found; empty if nothing differs." }),
	looked_at: z
		.object({
			rows: z.int().min(0).meta({ description: "Rows of the database." }),
			objects: z.int().min(0).meta({ description: "Objects of the storage." }),
			bytes: z.int().min(0).meta({ description: "Bytes that were read and compared with sums." }),
		})
		.meta({ description: "How much this step looked at." }),
	passed_over: z
		.object({
			young: z.int().min(0).meta({ description: "Videos, uploads and copies that were written within the last hour." }),
			look_again_at: Timestamp.nullable().meta({
				description: "When all of them can be looked at, if nothing writes to them; null if there is none.",
			}),
			without_sums: z.int().min(0).meta({
				description:
					"Videos and outros with files of which no sum is kept, so that their bytes are not compared: an earlier version stored them.",
			}),
		})
		.meta({ description: "What this step could not judge." }),
	percent: z.number().min(0).max(100).meta({ description: "About how far the check has come." }),
	cursor: z.string().nullable().meta({ description: "For the next step; null after the last." }),
});
export type CheckStep = z.infer<typeof CheckStep>;
