import type { Readiness } from "@reelmill/contracts";
import { createProbe } from "./probe.ts";
import { tryDisk } from "./try-disk.ts";

export type ReadinessOptions = {
	/** Whether the server takes requests: it is neither still starting nor about to stop. */
	readonly serving: () => boolean;
	/** Resolves when the database has taken a write. */
	readonly proveDatabase: () => Promise<unknown>;
	readonly dataDirectory: string;
};

/**
 * Creates a function that resolves to whether the server can take traffic. It tries each part by a write; a part that
 * fails, or takes longer than 2 s, is not ready. It never rejects. Calls at the same time share one try of each part.
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
