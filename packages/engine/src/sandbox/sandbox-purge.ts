import sql from "sql-template-tag";
import { eachApart } from "../background/index.ts";
import { deleteInBatches } from "../retention/index.ts";
import type { Parts } from "../system/index.ts";
import { type AfterChange, removal, type VideoStore } from "../videos/index.ts";

const batch = 100;

/**
 * Deletes sandbox videos that are older than `keepSeconds`, with their objects, and the rows of keys that ended. If
 * many servers call it at once, each video is deleted once.
 */
export function createSandboxPurge(
	{ database, clock, logger }: Parts,
	{
		store,
		keepSeconds,
		afterChange,
	}: {
		store: VideoStore;
		keepSeconds: number;
		afterChange: AfterChange;
	},
): () => Promise<void> {
	return async () => {
		const now = new Date(clock.now());
		const before = new Date(now.getTime() - keepSeconds * 1000);
		const due = await database.query<{ id: string }>(sql`
			select id from reelmill.videos where session_id is not null and deleted_at is null and coalesce(uploaded_at, created_at) <= ${before} limit ${batch}`);
		await eachApart(due, { logger, task: "purgeSandbox" }, async ({ id }) => {
			const saved = await store.change(id, (record) => removal(record, now));
			if (saved !== null) await afterChange(saved);
		});
		await deleteInBatches(database, sql`reelmill.domain_keys`, sql`expires_at <= ${before}`);
	};
}
