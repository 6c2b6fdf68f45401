import type { Engine } from "@reelmill/engine";
import { keepPrivateFile } from "./data-directory.ts";

const slug = "default";

/** The key of the domain `default`, so that a new installation can be used at once: made the first time, then kept in the data directory. */
export function keepFirstTenant(engine: Engine, directory: string): Promise<string> {
	return keepPrivateFile(directory, "tenant.key", async () => {
		const existing = await engine.domains.findBySlug(slug);
		return existing === null ? (await engine.domains.create({ slug })).api_key : (await engine.domains.addKey(existing.id)).api_key;
	});
}
