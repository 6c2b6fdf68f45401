import { type DomainLimits, isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/mount.ts";

type Names = "getDomain" | "updateDomainConfig" | "rotateDomainKey" | "rotateWebhookSecret" | "createDomain" | "getAdminDomain";

export const domainHandlers = ({ domains }: Engine): Pick<Handlers, Names> => ({
	getDomain: ({ principal }) => domains.get(principal.domainId),
	updateDomainConfig: ({ principal, input }) => domains.updateConfig(principal.domainId, input.body),
	rotateDomainKey: ({ principal }) => domains.rotateKey(principal.domainId),
	rotateWebhookSecret: ({ principal }) => domains.rotateWebhookSecret(principal.domainId),
	createDomain: ({ input: { body } }) => domains.create({ slug: body.slug, ...(body.limits && { limits: body.limits as Partial<DomainLimits> }) }),
	getAdminDomain: async ({ input }) => {
		if (!isUuidV4(input.params.id)) throw new ReelmillError("domain_not_found");
		return domains.get(input.params.id);
	},
});
