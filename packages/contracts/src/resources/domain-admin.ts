import * as z from "zod";
import { Domain, DomainLimits } from "./domain.ts";

/** The name of a domain in addresses. */
export const DomainSlug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);

/** The limits that an operator sets on a domain. What is left out keeps its value; a new domain gets the default. */
export const DomainLimitsPatch = z.strictObject(DomainLimits.shape).partial();
export type DomainLimitsPatch = z.infer<typeof DomainLimitsPatch>;

/** What an operator says of a new domain. */
export const CreateDomain = z.strictObject({
	slug: DomainSlug.meta({
		description: "The domain's name in addresses: small letters, digits and hyphens, at most 63; nobody else's.",
	}),
	limits: DomainLimitsPatch.optional().meta({
		description: "The limits that differ from the defaults (default: none).",
	}),
});
export type CreateDomain = z.infer<typeof CreateDomain>;

/** A new domain with its API key and webhook secret: shown once. */
export const CreatedDomain = z.object({
	domain: Domain,
	api_key: z.string().meta({ description: "Shown this once; only a hash of it is kept." }),
});
export type CreatedDomain = z.infer<typeof CreatedDomain>;

/** The body that changes a domain. */
export const UpdateDomain = z.strictObject({
	slug: DomainSlug.optional().meta({ description: "The new name; the old one is free at once." }),
	limits: DomainLimitsPatch.optional().meta({ description: "The limits to change; the others keep their values." }),
});
export type UpdateDomain = z.infer<typeof UpdateDomain>;

/** How many transcripts were asked for once more. */
export const RequestedTranscripts = z.object({
	requested: z.int().min(0).meta({ description: "How many videos became `pending` by this call." }),
});
export type RequestedTranscripts = z.infer<typeof RequestedTranscripts>;
