import type { Stats } from "@reelmill/contracts";
import type { Chores } from "../background/index.ts";
import type { Counts } from "../counts/index.ts";
import type { Parts } from "../system/index.ts";
import type { AfterChange } from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import {
	createDomainAdministration,
	type DomainAdministration,
	type DomainAdministrationOptions,
} from "./domain-administration.ts";
import { createDomainPurge } from "./domain-purge.ts";
import { createFailuresView, type FailuresView } from "./failures.ts";
import { createQueueView, type QueueView } from "./queue.ts";
import { createReprocess, type Reprocess, type ReprocessOptions } from "./reprocess.ts";
import { createStats } from "./stats.ts";
import { createSystemView, type SystemView, type SystemViewOptions } from "./system-view.ts";
import { createWorkersView, type WorkersView } from "./workers.ts";

/** What an operator does, apart from creating domains and service accounts. */
export type Admin = DomainAdministration &
	QueueView &
	WorkersView &
	FailuresView &
	SystemView & {
		/**
		 * Returns what the installation holds and does at this moment, over all domains. Deleted domains and videos don't
		 * count. The query reads every video and delivery.
		 */
		stats(): Promise<Stats>;
		/**
		 * Queues a failed video anew, as if its upload had ended now. Its source is kept for a while after a failure that
		 * lies not in it (`keepFailed`).
		 *
		 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video neither failed nor is available;
		 * `file_not_found` when its source is gone, as an available video's always is.
		 */
		reprocess: Reprocess;
	};

export type AdminOptions = DomainAdministrationOptions &
	ReprocessOptions & {
		readonly windows: Pick<Windows, "lock">;
		readonly system: SystemViewOptions;
		readonly counts: Counts;
		/** For the changes that the purge makes. */
		readonly afterSweep: AfterChange;
	};

export const createAdmin = (parts: Parts, options: AdminOptions): Admin & { readonly chores: Chores } => ({
	...createDomainAdministration(parts, options),
	...createQueueView(parts, options),
	...createWorkersView(parts, options),
	...createFailuresView(parts, options),
	...createSystemView(parts, options.system),
	stats: createStats(parts, options),
	reprocess: createReprocess(parts, options),
	chores: { purgeDomains: createDomainPurge(parts, { store: options.store, afterChange: options.afterSweep }) },
});
