import { join } from "node:path";
import { isReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { keepPrivateFile } from "./data-directory.ts";
import { fileExists } from "./file-exists.ts";

const slug = "default";
const name = "tenant.key";

export type FirstTenant = {
	/** The file with its key; `null` if the file lies in another server's data directory. */
	readonly keyFile: string | null;
	/** The key if this start made it; otherwise `null`, because an earlier start showed it. */
	readonly newKey: string | null;
};

/**
 * Keeps the key of the domain `default` in the data directory, so that a new installation can be used at once. The
 * first start makes the domain and its key. If `mayMake` is false, none is made: a server that joins others has no key
 * of its own.
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
		// Another server has made the domain meanwhile.
		if (isReelmillError(error, "slug_already_exists"))
			return { keyFile: (await fileExists(keyFile)) ? keyFile : null, newKey: null };
		throw error;
	}
}
