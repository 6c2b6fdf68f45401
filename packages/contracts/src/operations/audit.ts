import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { AuditActionName, AuditPage } from "../resources/audit.ts";
import { Id, pageQuery } from "../resources/common.ts";

const filters = {
	actor: z
		.string()
		.min(1)
		.max(320)
		.optional()
		.meta({ description: "Only changes by this actor: its id or its label, exactly.", examples: ["ada@acme.test"] }),
	action: AuditActionName.optional().meta({
		description: "Only changes of this kind.",
		examples: ["domain.key_rotated"],
	}),
	resource_id: z
		.string()
		.min(1)
		.max(320)
		.optional()
		.meta({
			description: "Only changes of the resource with this id.",
			examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
		}),
};

export const listDomainAudit = defineOperation({
	method: "GET",
	path: "/v1/audit",
	plane: "tenant",
	tag: "Domain",
	summary: "List who changed what, newest first",
	description:
		"Every change of the domain's configuration, key, webhook secret, storage, outros and playback keys, and videos that were deleted, cancelled or made public or private. An entry is written together with its change, and kept for 400 days, or as long as the operator decided. What the operator did stands as `operator`, without an address.",
	auth: "tenant",
	sandbox: "refused",
	query: z.strictObject({ ...pageQuery, ...filters }),
	success: { status: 200, body: AuditPage },
	errors: ["invalid_cursor"],
});

export const listAudit = defineOperation({
	method: "GET",
	path: "/admin/v1/audit",
	plane: "admin",
	tag: "Admin",
	summary: "List who changed what, over all domains, newest first",
	description:
		"Beside what tenants see of their domain: domains, service accounts, console accounts and sign-ins. An entry outlives the domain or account that it tells of.",
	auth: "admin",
	query: z.strictObject({
		...pageQuery,
		domain_id: Id.optional().meta({
			description: "Only changes that concern this domain.",
			examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
		}),
		...filters,
	}),
	success: { status: 200, body: AuditPage },
	errors: ["invalid_cursor"],
});
