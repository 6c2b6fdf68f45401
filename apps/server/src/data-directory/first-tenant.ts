import { join } from "node:path";
import { isReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { keepPrivateFile } from "./data-directory.ts";
import { fileExists } from "./file-exists.ts";

const slug = "default";
const name = "tenant.key";

export type FirstTenant = {
	/** Where its key lies; null where that is another server's data directory. */
	readonly keyFile: string | null;
	/** The key, where this start made it; else null: it was shown before. */
	readonly newKey: string | null;
};

/**
 * Keeps the key of the domain `default`, so that a new installation can be used at once: made the first time, then kept
 * in the data directory. Makes none where `mayMake` is false: a server that joins others has no key of its own.
 */
export async function keepFirstTenant(
	engine: Engine,
	directory: string,
	{ mayMake }: { readonly mayMake: boolean },
): Promise<FirstTenant> {
	const keyFile = join(directory, name);
	if (!mayMake) return { keyFile: (await fileExists(keyFile)) ? keyFile : null, newKey: null };
	let made: string | null = null;
	try {
		const kept = await keepPrivateFile(directory, name, async () => {
			const existing = await engine.domains.findBySlug(slug);
			({ api_key: made } =
				existing === null ? await engine.domains.create({ slug }) : await engine.domains.addKey(existing.id));
			return made;
		});
		return { keyFile, newKey: kept === made ? made : null };
	} catch (error) {
		// Another first server was quicker.
		if (isReelmillError(error, "slug_already_exists"))
			return { keyFile: (await fileExists(keyFile)) ? keyFile : null, newKey: null };
		throw error;
	}
}
