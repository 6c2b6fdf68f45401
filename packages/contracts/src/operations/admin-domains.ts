import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery } from "../resources/common.ts";
import { Domain, DomainPage } from "../resources/domain.ts";
import { CreateDomain, CreatedDomain, RequestedTranscripts, UpdateDomain } from "../resources/domain-admin.ts";
import { KeyRotation, RotateKey } from "../resources/rotation.ts";
import { idParams } from "./id-params.ts";

const params = idParams("domain");

export const createDomain = defineOperation({
	method: "POST",
	path: "/admin/v1/domains",
	plane: "admin",
	tag: "Admin",
	summary: "Create a domain",
	description: "Shows its key this once.",
	auth: "admin",
	audit: "domain.created",
	body: CreateDomain,
	success: { status: 201, body: CreatedDomain },
	errors: ["slug_already_exists"],
});

export const listDomains = defineOperation({
	method: "GET",
	path: "/admin/v1/domains",
	plane: "admin",
	tag: "Admin",
	summary: "List domains, newest first",
	description: "The sandbox domain is among them.",
	auth: "admin",
	query: z.strictObject(pageQuery),
	success: { status: 200, body: DomainPage },
	errors: ["invalid_cursor"],
});

export const getAdminDomain = defineOperation({
	method: "GET",
	path: "/admin/v1/domains/{id}",
	plane: "admin",
	tag: "Admin",
	summary: "Read any domain",
	auth: "admin",
	params,
	success: { status: 200, body: Domain },
	errors: ["domain_not_found"],
});

export const updateDomain = defineOperation({
	method: "PATCH",
	path: "/admin/v1/domains/{id}",
	plane: "admin",
	tag: "Admin",
	summary: "Change a domain's slug or limits",
	description: "What is left out keeps its value.",
	auth: "admin",
	audit: "domain.updated",
	params,
	body: UpdateDomain,
	success: { status: 200, body: Domain },
	errors: ["domain_not_found", "slug_already_exists"],
});

export const deleteDomain = defineOperation({
	method: "DELETE",
	path: "/admin/v1/domains/{id}",
	plane: "admin",
	tag: "Admin",
	summary: "Delete a domain",
	description: "Its keys stop at once, its videos go as by DELETE, its slug is free again.",
	auth: "admin",
	audit: "domain.deleted",
	params,
	success: { status: 204, says: "The domain is deleted; its files go soon after." },
	errors: ["domain_not_found", "sandbox_domain_protected"],
});

export const rotateDomainKeyAsAdmin = defineOperation({
	method: "POST",
	path: "/admin/v1/domains/{id}/rotate-key",
	plane: "admin",
	tag: "Admin",
	summary: "Mint a new key for any domain",
	description: "The old key stays valid for 1 hour, or for `grace_seconds`; with 0 it ends at once (within 2 s).",
	auth: "admin",
	audit: "domain.key_rotated",
	params,
	body: RotateKey,
	bodyOptional: true,
	success: { status: 200, body: KeyRotation },
	errors: ["domain_not_found"],
});

export const requestTranscripts = defineOperation({
	method: "POST",
	path: "/admin/v1/domains/{id}/transcripts",
	plane: "admin",
	tag: "Admin",
	summary: "Have the transcripts made that no worker could make",
	description:
		"Of every available video of the domain whose `transcript_status` is `unavailable`. Each becomes `pending`, and a worker that can make transcripts makes it from the finished sound, once nothing else waits. The stream's captions stay as they were: the file is at `transcript_url`. Done twice, it asks for what is `unavailable` by then.",
	auth: "admin",
	audit: "domain.transcripts_requested",
	params,
	success: { status: 200, body: RequestedTranscripts },
	errors: ["domain_not_found"],
});
