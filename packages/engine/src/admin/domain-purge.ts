import sql from "sql-template-tag";
import { type Chore, eachApart, whenDue } from "../background/index.ts";
import type { Parts } from "../system/index.ts";
import { type AfterChange, removal, type VideoStore } from "../videos/index.ts";

const batch = 100;
const task = "purgeDomains";

/**
 * Deletes the videos of deleted domains, a batch of each domain per call. Work in progress is cancelled; uploads and
 * outputs are removed. The next call continues where this one ended. If many servers call it at once, each video is
 * deleted once. A domain without videos left isn't looked at again, because no video can be added to it.
 */
export function createDomainPurge(
	{ database, clock, logger }: Parts,
	{ store, afterChange }: { store: VideoStore; afterChange: AfterChange },
): Chore {
	const purge = async (domainId: string): Promise<void> => {
		const videos = await database.query<{ id: string }>(
			sql`select id from reelmill.videos where domain_id = ${domainId} and deleted_at is null order by created_at desc, id desc limit ${batch}`,
		);
		await eachApart(videos, { logger, task }, async ({ id }) => {
			const saved = await store.change(id, (record) => removal(record, new Date(clock.now())));
			if (saved !== null) await afterChange(saved);
		});
		await database.query(sql`
			update reelmill.domains d set purged_at = ${new Date(clock.now())}
			where d.id = ${domainId} and not exists (select from reelmill.videos v where v.domain_id = d.id and v.deleted_at is null)`);
	};

	const isDeleted = sql`deleted_at is not null and purged_at is null`;
	return whenDue(
		() => sql`exists (select from reelmill.domains where ${isDeleted})`,
		async () => {
			const deleted = await database.query<{ id: string }>(
				sql`select id from reelmill.domains where ${isDeleted} order by deleted_at limit ${batch}`,
			);
			await eachApart(deleted, { logger, task }, ({ id }) => purge(id));
		},
	);
}
