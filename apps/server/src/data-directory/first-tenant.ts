import { join } from "node:path";
import { isReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { keepPrivateFile } from "./data-directory.ts";
import { fileExists } from "./file-exists.ts";

const slug = "default";
const name = "tenant.key";

/** The domain `default` of a server that has started, and the key to it. */
export type FirstTenant = {
	/** The file with its key; `null` if the file lies in another server's data directory. */
	readonly keyFile: string | null;
	/** The key if this start made it; otherwise `null`, because an earlier start showed it. */
	readonly newKey: string | null;
};

type FirstTenantOptions = {
	/** Whether the database had no master key when this server opened it. */
	readonly isNew: boolean;
	/** Whether no other server uses the database. Then a further key of the domain replaces a file that was lost. */
	readonly ownsDatabase: boolean;
};

/**
 * Keeps the key of the domain `default` in the data directory, so that a new installation can be used at once. The
 * first start makes the domain and its key. If several servers start at once on a new database, only the one that
 * creates the domain gets a key. A server that joins later gets none.
 */
export async function keepFirstTenant(
	engine: Engine,
	directory: string,
	{ isNew, ownsDatabase }: FirstTenantOptions,
): Promise<FirstTenant> {
	const keyFile = join(directory, name);
	if (!isNew && !ownsDatabase) return { keyFile: (await fileExists(keyFile)) ? keyFile : null, newKey: null };
	let made: string | null = null;
	try {
		const kept = await keepPrivateFile(directory, name, async () => {
			const existing = ownsDatabase ? await engine.domains.findBySlug(slug) : null;
			({ api_key: made } =
				existing === null ? await engine.domains.create({ slug }) : await engine.domains.addKey(existing.id));
			return made;
		});
		return { keyFile, newKey: kept === made ? made : null };
	} catch (error) {
		// Another server that started at the same time has created the domain.
		if (isReelmillError(error, "slug_already_exists"))
			return { keyFile: (await fileExists(keyFile)) ? keyFile : null, newKey: null };
		throw error;
	}
}
