import type { Database, Engine } from "@reelmill/engine";
import type { OpenedEngine } from "./open-engine.ts";
import { finishJob, uploadVideo } from "./open-engine.ts";

/** How often a worker says that it lives, in a job of some minutes. */
const heartbeats = 8;
const atOnce = 8;

type Principal = Parameters<Engine["videos"]["create"]>[0];

/**
 * Lets this many videos live: initiated, uploaded, claimed, encoded with heartbeats, completed, and told by a
 * webhook.
 */
export async function liveVideos(opened: OpenedEngine, principal: Principal, count: number): Promise<void> {
	const { jobs } = opened.engine;
	for (let lived = 0; lived < count; lived += atOnce) {
		const each = Array.from({ length: Math.min(atOnce, count - lived) }, (_, index) => index);
		await Promise.all(
			each.map((index) =>
				uploadVideo(opened, principal, {
					uploader_ref: `uploader-${lived + index}`,
					external_ref: `reference-${index}`,
				}),
			),
		);
		const claimed = await Promise.all(
			each.map((index) => jobs.claim(opened.worker, { worker: `w${index}`, wait_seconds: 0 })),
		);
		const held = claimed.filter((job) => job !== null);
		for (let beat = 1; beat <= heartbeats; beat++) {
			await opened.clock.advance(20_000);
			await Promise.all(held.map(({ id, lock }) => jobs.heartbeat(id, { lock, progress: beat * 12 })));
		}
		await Promise.all(held.map((job) => finishJob(opened, job)));
		await opened.engine.webhooks.listDeliveries(principal, { limit: 10 });
		await opened.engine.sweep();
	}
}

export type Updates = { readonly table: string; readonly updates: number; readonly hot: number };

/** Returns the updates of each table, the partitions of one together, and how many of them changed no index. */
export const updatesOf = (database: Database): Promise<Updates[]> =>
	database.query<Updates>({
		text: `select regexp_replace(relname, '_(\\d{8}|default|before)$', '') as table, sum(n_tup_upd)::integer as updates, sum(n_tup_hot_upd)::integer as hot
			from pg_stat_user_tables where schemaname = 'reelmill' group by 1 having sum(n_tup_upd) > 0 order by 2 desc`,
		values: [],
	});
