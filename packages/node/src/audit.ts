import type { CallOptions, Client } from "@reelmill/client";
import type { AuditAction, AuditEntry } from "@reelmill/contracts";
import { callOf, listed, type Page, type PageOptions, pageQuery } from "./pages.ts";

/** Which entries of the audit log are wanted. */
export type AuditFilter = {
	/** Only changes by this actor: its id or its label, such as `...x7Qa`. */
	actor?: string;
	action?: AuditAction;
	/** Only changes of the resource with this id. */
	resourceId?: string;
};
type Paging = {
	/** How many changes one request fetches, 1 to 100 (default: 20). */
	pageSize?: number;
};

/** Who changed what, newest first. `Filter` is what a list can be narrowed to. */
export type AuditLog<Filter = AuditFilter> = {
	/** Yields every change that is kept. Each page is fetched when the iteration reaches it. */
	list(options?: CallOptions & Filter & Paging): AsyncIterableIterator<AuditEntry>;
	/** Returns one page of changes. */
	page(options?: PageOptions & Filter): Promise<Page<AuditEntry>>;
};
/** Who changed what, over all domains. */
export type AdminAuditLog = AuditLog<
	AuditFilter & {
		/** Only changes that concern this domain, by its id. */
		domainId?: string;
	}
>;

export function createAuditLog(client: Client, operation: "listDomainAudit" | "listAudit"): AdminAuditLog {
	const page: AdminAuditLog["page"] = ({ actor, action, resourceId, domainId, ...options } = {}) =>
		client.call(
			operation,
			{
				query: {
					...(domainId && { domain_id: domainId }),
					...(actor && { actor }),
					...(action && { action }),
					...(resourceId && { resource_id: resourceId }),
					...pageQuery(options),
				},
			},
			callOf(options),
		);
	return listed(page);
}
