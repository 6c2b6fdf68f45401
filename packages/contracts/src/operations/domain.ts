import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Domain, DomainConfigPatch } from "../resources/domain.ts";
import { DomainKeyList, KeyRotation, RotateKey } from "../resources/rotation.ts";
import { FirstSteps, LimitsView, Usage, UsageDays } from "../resources/usage.ts";
import { idParams } from "./id-params.ts";

export const getDomain = defineOperation({
	method: "GET",
	path: "/v1/domain",
	plane: "tenant",
	tag: "Domain",
	summary: "Read the domain",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: Domain },
	errors: [],
});

export const updateDomainConfig = defineOperation({
	method: "PATCH",
	path: "/v1/domain/config",
	plane: "tenant",
	tag: "Domain",
	summary: "Change the domain's configuration",
	description:
		"A merge patch (RFC 7396) of at least one property, also as `application/merge-patch+json`: arrays replace, `outputs` merges, null only where a field may be null. Answers with the whole domain. A `default_outro_slug` that no outro answers to is accepted: it is checked when a video is initiated. Webhooks are sent once both URL and secret are set.",
	auth: "tenant",
	sandbox: "refused",
	audit: "domain.config_updated",
	body: DomainConfigPatch,
	alsoMediaTypes: ["application/merge-patch+json"],
	success: { status: 200, body: Domain },
	errors: [],
});

export const rotateDomainKey = defineOperation({
	method: "POST",
	path: "/v1/domain/rotate-key",
	plane: "tenant",
	tag: "Domain",
	summary: "Mint a new domain key",
	description:
		"Shows the new key this once. The old key stays valid for 1 hour, or for `grace_seconds`; with 0 it ends at once (within 2 s). It may do everything meanwhile but rotate: that is `forbidden`, so that whoever holds a leaked key can't lock the owner out. A second rotation within the hour ends the key before the last at once.",
	auth: "tenant",
	sandbox: "refused",
	audit: "domain.key_rotated",
	body: RotateKey,
	bodyOptional: true,
	success: { status: 200, body: KeyRotation },
	errors: ["forbidden"],
});

export const listDomainKeys = defineOperation({
	method: "GET",
	path: "/v1/domain/keys",
	plane: "tenant",
	tag: "Domain",
	summary: "List the domain's keys",
	description: "The keys that work now, without their text: the current one, and the one in its grace period, if any.",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: DomainKeyList },
	errors: [],
});

export const endDomainKey = defineOperation({
	method: "DELETE",
	path: "/v1/domain/keys/{id}",
	plane: "tenant",
	tag: "Domain",
	summary: "End the grace period of a key at once",
	description:
		"The key ends at once (within 2 s). Only a key in its grace period may be ended: for a current key the answer is `invalid_state`, because nothing would replace it. Rotate it first.",
	auth: "tenant",
	sandbox: "refused",
	audit: "domain.key_ended",
	params: idParams("key"),
	success: { status: 204, says: "The key has ended." },
	errors: ["not_found", "invalid_state"],
});

export const getLimits = defineOperation({
	method: "GET",
	path: "/v1/limits",
	plane: "tenant",
	tag: "Domain",
	summary: "Read what the caller may upload",
	description: "The largest file and the longest duration, the instance's ceilings applied.",
	auth: "tenant",
	sandbox: "allowed",
	success: { status: 200, body: LimitsView },
	errors: [],
});

export const getUsage = defineOperation({
	method: "GET",
	path: "/v1/usage",
	plane: "tenant",
	tag: "Domain",
	summary: "Read today's usage, limits and headroom",
	description:
		"Counts one UTC day. Bytes of pending uploads are reserved: they lower `remaining.upload_bytes` at once.",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: Usage },
	errors: [],
});

export const listUsageDays = defineOperation({
	method: "GET",
	path: "/v1/usage/days",
	plane: "tenant",
	tag: "Domain",
	summary: "Read the usage of each day, newest first",
	description:
		"One row for each UTC day from `from` to `to`, both included, at most 400 days. Days are kept for 400 days, unless the operator chose otherwise; before that, and where nothing happened, the counts are 0.",
	auth: "tenant",
	sandbox: "refused",
	query: z.strictObject({
		from: z.iso
			.date()
			.optional()
			.meta({ description: "The first day; 29 days before `to` unless given.", examples: ["2026-01-02"] }),
		to: z.iso
			.date()
			.optional()
			.meta({ description: "The last day; today unless given.", examples: ["2026-01-31"] }),
	}),
	success: { status: 200, body: UsageDays },
	errors: [],
});

export const getFirstSteps = defineOperation({
	method: "GET",
	path: "/v1/first-steps",
	plane: "tenant",
	tag: "Domain",
	summary: "Read which first steps the domain has taken",
	description: "For a checklist of the first day. Each is noted once and stays.",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: FirstSteps },
	errors: [],
});
