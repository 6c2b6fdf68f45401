import { access, constants } from "node:fs/promises";
import type { Readiness } from "@reelmill/contracts";
import { within } from "./within.ts";

export type ReadinessOptions = {
	/** Whether requests are taken: neither still starting nor about to stop. */
	readonly serving: () => boolean;
	readonly pingDatabase: () => Promise<unknown>;
	readonly dataDirectory: string;
};

const timeoutMilliseconds = 2000;

/** Asks each part anew; one that doesn't answer within 2 s doesn't answer. Never rejects. */
export async function readinessOf({ serving, pingDatabase, dataDirectory }: ReadinessOptions): Promise<Readiness> {
	const answers = async (asked: Promise<unknown>) =>
		(await within(
			asked.then(() => true),
			timeoutMilliseconds,
		)) === true;
	const [database, storage] = await Promise.all([answers(pingDatabase()), answers(access(dataDirectory, constants.W_OK))]);
	const checks = { serving: serving(), database, storage };
	return { status: Object.values(checks).every(Boolean) ? "ok" : "unavailable", checks };
}
