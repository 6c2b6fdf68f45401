import type { Stats } from "@reelmill/contracts";
import type { Parts } from "../system/index.ts";
import { createDomainAdministration, type DomainAdministration } from "./domains.ts";
import { createStats } from "./stats.ts";

/** What an operator does beside making domains and service accounts. */
export type Admin = DomainAdministration & {
	/**
	 * What the installation holds and does at this moment, over all domains; deleted domains and videos aren't counted.
	 * It reads every video and delivery.
	 */
	stats(): Promise<Stats>;
};

export const createAdmin = (parts: Parts, options: Parameters<typeof createDomainAdministration>[1]): Admin => ({
	...createDomainAdministration(parts, options),
	stats: createStats(parts),
});
