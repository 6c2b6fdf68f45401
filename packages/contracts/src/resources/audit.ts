import * as z from "zod";
import { type AuditAction, auditActions, auditActorKinds, auditResourceKinds } from "../audit-actions.ts";
import { Id, page, Timestamp } from "./common.ts";

/** The name of an action, such as `domain.key_rotated`. */
export const AuditActionName = z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]);

/** One change: who made it, to what, when and from where. It holds no value and no secret. */
export const AuditEntry = z.object({
	id: Id.meta({ description: "The entry's id." }),
	at: Timestamp.meta({ description: "When the change was made." }),
	actor: z
		.object({
			kind: z.enum(auditActorKinds).meta({ description: "What kind of caller it was." }),
			id: z.string().nullable().meta({ description: "The id of the account or of the domain key; null for others." }),
			label: z.string().meta({
				description:
					"The account's e-mail address, `...` and the last four characters of a key, or `engine`. A tenant sees `operator` for whoever runs the service.",
			}),
		})
		.meta({ description: "Who made the change." }),
	action: AuditActionName,
	resource: z
		.object({
			kind: z.enum(auditResourceKinds).meta({ description: "What kind of thing it is." }),
			id: z.string().meta({ description: "Its id; an outro's slug; a viewer's `viewer_ref`." }),
			label: z
				.string()
				.nullable()
				.meta({ description: "What it was called then: a domain's slug, an account's name." }),
		})
		.meta({ description: "What was changed." }),
	changed: z.array(z.string()).meta({ description: "The names of the fields that changed, never their values." }),
	domain_id: Id.nullable().meta({ description: "The domain that it concerns; null for the whole installation." }),
	address: z.string().nullable().meta({ description: "The client's address, as the server knows it." }),
	request_id: z.string().nullable().meta({ description: "The x-request-id of the request that made the change." }),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** One page of the audit log, newest first. */
export const AuditPage = page(AuditEntry);
export type AuditPage = z.infer<typeof AuditPage>;
