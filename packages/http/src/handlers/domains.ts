import { isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names =
	| "getDomain"
	| "updateDomainConfig"
	| "listDomainKeys"
	| "endDomainKey"
	| "rotateDomainKey"
	| "rotateWebhookSecret";

export const domainHandlers = ({ domains }: Engine): Pick<Handlers, Names> => ({
	getDomain: ({ principal }) => domains.get(principal.domainId),
	updateDomainConfig: ({ principal, input, by }) => domains.updateConfig(principal.domainId, input.body, by),
	listDomainKeys: ({ principal }) => domains.listKeys(principal.domainId),
	endDomainKey: async ({ principal, input, by }) => {
		await domains.endKey(principal.domainId, keyId(input.params.id), by);
		return undefined;
	},
	rotateDomainKey: ({ principal, input, by }) =>
		domains.rotateKey(principal.domainId, { byKey: principal.keyId, graceSeconds: input.body.grace_seconds }, by),
	rotateWebhookSecret: ({ principal, by }) =>
		domains.rotateWebhookSecret(principal.domainId, { byKey: principal.keyId }, by),
});

function keyId(id: string): string {
	if (!isUuidV4(id)) throw new ReelmillError("not_found", { message: "No such key." });
	return id;
}
