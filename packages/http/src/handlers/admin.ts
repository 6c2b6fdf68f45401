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
	createDomain: ({ input: { body }, by }) =>
		domains.create({ slug: body.slug, ...(body.limits && { limits: body.limits as Partial<DomainLimits> }) }, by),
	listDomains: ({ input }) => admin.listDomains(input.query),
	getAdminDomain: async ({ input }) => domains.get(domainId(input.params.id)),
	updateDomain: async ({ input, by }) => admin.updateDomain(domainId(input.params.id), input.body, by),
	deleteDomain: async ({ input, by }) => {
		await admin.deleteDomain(domainId(input.params.id), by);
		return undefined;
	},
	requestTranscripts: async ({ input, by }) => transcripts.request(domainId(input.params.id), by),
	rotateDomainKeyAsAdmin: async ({ input, by }) =>
		domains.rotateKey(domainId(input.params.id), { graceSeconds: input.body.grace_seconds }, by),
	listAdminStorageLocations: () => storage.locationsForOperator(),
	getStats: () => admin.stats(),
	checkStorage: ({ input: { body } }) =>
		check.step({
			cursor: body.cursor,
			repair: body.repair,
			adopt: body.adopt,
			removeOrphans: body.remove_orphans,
			removeUnknownDomains: body.remove_unknown_domains,
			young: body.young,
			deep: body.deep,
		}),
});

function domainId(id: string): string {
	if (!isUuidV4(id)) throw new ReelmillError("domain_not_found");
	return id;
}
