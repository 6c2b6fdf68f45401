import { join } from "node:path";
import type { Engine } from "@reelmill/engine";
import { keepPrivateFile } from "./data-directory.ts";

const slug = "default";
const name = "tenant.key";

export type FirstTenant = {
	/** Where its key lies. */
	readonly keyFile: string;
	/** The key, where this start made it; else null: it was shown before. */
	readonly newKey: string | null;
};

/** Keeps the key of the domain `default`, so that a new installation can be used at once: made the first time, then kept in the data directory. */
export async function keepFirstTenant(engine: Engine, directory: string): Promise<FirstTenant> {
	let made: string | null = null;
	const kept = await keepPrivateFile(directory, name, async () => {
		const existing = await engine.domains.findBySlug(slug);
		({ api_key: made } = existing === null ? await engine.domains.create({ slug }) : await engine.domains.addKey(existing.id));
		return made;
	});
	return { keyFile: join(directory, name), newKey: kept === made ? made : null };
}
