import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import { type AfterChange, removal, type VideoStore } from "../videos/index.ts";

const batch = 100;

/**
 * Deletes the videos of deleted domains, a batch of each per call: in-flight work is cancelled, uploads and outputs are
 * removed. It goes on where it was stopped, and by many servers at once each video goes once. A domain of which no
 * video is left is not looked at again: none can be added to it.
 */
export function createDomainPurge(
	{ database, clock }: Parts,
	{ store, afterChange }: { store: VideoStore; afterChange: AfterChange },
): () => Promise<void> {
	const purge = async (domainId: string): Promise<void> => {
		const videos = await database.query<{ id: string }>(
			sql`select id from reelmill.videos where domain_id = ${domainId} and deleted_at is null order by created_at desc, id desc limit ${batch}`,
		);
		for (const { id } of videos) {
			const saved = await store.change(id, (record) => removal(record, new Date(clock.now())));
			if (saved !== null) await afterChange(saved);
		}
		await database.query(sql`
			update reelmill.domains d set purged_at = ${new Date(clock.now())}
			where d.id = ${domainId} and not exists (select from reelmill.videos v where v.domain_id = d.id and v.deleted_at is null)`);
	};

	return async () => {
		const deleted = await database.query<{ id: string }>(
			sql`select id from reelmill.domains where deleted_at is not null and purged_at is null order by deleted_at limit ${batch}`,
		);
		for (const { id } of deleted) await purge(id);
	};
}
