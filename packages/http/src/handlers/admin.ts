import { type DomainLimits, isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names =
	| "createDomain"
	| "listDomains"
	| "getAdminDomain"
	| "updateDomain"
	| "deleteDomain"
	| "rotateDomainKeyAsAdmin"
	| "requestTranscripts"
	| "listAdminStorageLocations"
	| "getStats"
	| "checkStorage";

export const adminHandlers = ({ admin, check, domains, storage, transcripts }: Engine): Pick<Handlers, Names> => ({
	createDomain: ({ input: { body } }) =>
		domains.create({ slug: body.slug, ...(body.limits && { limits: body.limits as Partial<DomainLimits> }) }),
	listDomains: ({ input }) => admin.listDomains(input.query),
	getAdminDomain: async ({ input }) => domains.get(domainId(input.params.id)),
	updateDomain: async ({ input }) => admin.updateDomain(domainId(input.params.id), input.body),
	deleteDomain: async ({ input }) => {
		await admin.deleteDomain(domainId(input.params.id));
		return undefined;
	},
	requestTranscripts: async ({ input }) => transcripts.request(domainId(input.params.id)),
	rotateDomainKeyAsAdmin: async ({ input }) =>
		domains.rotateKey(domainId(input.params.id), { graceSeconds: input.body.grace_seconds }),
	listAdminStorageLocations: () => storage.locationsForOperator(),
	getStats: () => admin.stats(),
	checkStorage: ({ input: { body } }) =>
		check.step({
			cursor: body.cursor,
			repair: body.repair,
			adopt: body.adopt,
			removeOrphans: body.remove_orphans,
			removeUnknownDomains: body.remove_unknown_domains,
		}),
});

function domainId(id: string): string {
	if (!isUuidV4(id)) throw new ReelmillError("domain_not_found");
	return id;
}
