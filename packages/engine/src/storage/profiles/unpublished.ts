import sql from "sql-template-tag";
import type { Database } from "../../ports/index.ts";
import type { PlatformLocation } from "./locations.ts";
import { hasPublicAddress } from "./public-urls.ts";

/** Returns how many of a domain's public videos aren't copied yet to where their bucket's public address leads. */
export async function countUnpublished(
	database: Database,
	locations: readonly PlatformLocation[],
	domainId: string,
): Promise<number> {
	const [counted] = await database.query<{ count: number }>(sql`
		select count(*) as count from reelmill.storage_profiles p join reelmill.publications w on w.storage_profile_id = p.id
		where w.copied_at is null and ${hasPublicAddress(locations)} and p.domain_id = ${domainId}`);
	return counted?.count ?? 0;
}
