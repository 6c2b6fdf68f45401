import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const auditHandlers = ({ audit }: Engine): Pick<Handlers, "listAudit" | "listDomainAudit"> => ({
	listAudit: ({ input }) => audit.list(input.query),
	listDomainAudit: ({ principal, input }) => audit.listOfDomain(principal, input.query),
});
