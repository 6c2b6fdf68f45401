import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "getDomain" | "updateDomainConfig" | "rotateDomainKey" | "rotateWebhookSecret";

export const domainHandlers = ({ domains }: Engine): Pick<Handlers, Names> => ({
	getDomain: ({ principal }) => domains.get(principal.domainId),
	updateDomainConfig: ({ principal, input }) => domains.updateConfig(principal.domainId, input.body),
	rotateDomainKey: ({ principal, input }) =>
		domains.rotateKey(principal.domainId, { byKey: principal.keyId, graceSeconds: input.body.grace_seconds }),
	rotateWebhookSecret: ({ principal }) => domains.rotateWebhookSecret(principal.domainId, { byKey: principal.keyId }),
});
