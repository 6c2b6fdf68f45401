import type { Stats } from "@reelmill/contracts";
import type { Chores } from "../background/index.ts";
import type { Parts } from "../system/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import {
	createDomainAdministration,
	type DomainAdministration,
	type DomainAdministrationOptions,
} from "./domain-administration.ts";
import { createDomainPurge } from "./domain-purge.ts";
import { createStats } from "./stats.ts";

/** What an operator does, apart from creating domains and service accounts. */
export type Admin = DomainAdministration & {
	/**
	 * Returns what the installation holds and does at this moment, over all domains. Deleted domains and videos don't
	 * count. The query reads every video and delivery.
	 */
	stats(): Promise<Stats>;
};

export type AdminOptions = DomainAdministrationOptions & {
	readonly store: VideoStore;
	/** For the changes that the purge makes. */
	readonly afterSweep: AfterChange;
};

export const createAdmin = (parts: Parts, options: AdminOptions): Admin & { readonly chores: Chores } => ({
	...createDomainAdministration(parts, options),
	stats: createStats(parts),
	chores: { purgeDomains: createDomainPurge(parts, { store: options.store, afterChange: options.afterSweep }) },
});
