import type { Readiness } from "@reelmill/contracts";
import { createProbe } from "./probe.ts";
import { tryDisk } from "./try-disk.ts";

export type ReadinessOptions = {
	/** Whether requests are taken: neither still starting nor about to stop. */
	readonly serving: () => boolean;
	/** Resolves when the database has taken a write. */
	readonly proveDatabase: () => Promise<unknown>;
	readonly dataDirectory: string;
};

/**
 * Whether the server can take traffic. Each part is tried by a write: one that fails, or takes longer than 2 s, isn't
 * there. Never rejects; asked by many at once, or often, it tries each part once at a time.
 */
export function createReadiness({ serving, proveDatabase, dataDirectory }: ReadinessOptions): () => Promise<Readiness> {
	const databaseTakesWrites = createProbe(proveDatabase);
	const storageTakesWrites = createProbe(() => tryDisk(dataDirectory));
	return async () => {
		const [database, storage] = await Promise.all([databaseTakesWrites(), storageTakesWrites()]);
		const checks = { serving: serving(), database, storage };
		return { status: Object.values(checks).every(Boolean) ? "ok" : "unavailable", checks };
	};
}
