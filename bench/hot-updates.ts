import { liveVideos, updatesOf } from "../packages/engine/test/support/hot-updates.ts";
import { openEngine } from "../packages/engine/test/support/open-engine.ts";
import startDatabase from "../scripts/test/database.ts";

/** How long PostgreSQL's sessions may keep statistics to themselves. */
const statisticsMilliseconds = 11_000;

/**
 * Lets `videos` videos live, and measures how many of the updates of each table are HOT, so that they change no
 * index.
 */
export async function hotUpdates(videos = 2000): Promise<void> {
	const closeDatabase = await startDatabase();
	try {
		const opened = await openEngine();
		const tenant = await opened.tenant("hot", { max_concurrent_processing: 100 });
		await opened.engine.domains.updateConfig(tenant.domain.id, {
			webhook_url: "https://tenant.example/hook",
			webhook_secret: "whsec_bench",
		});
		await opened.engine.sweep();
		const started = performance.now();
		await liveVideos(opened, tenant.principal, videos);
		const seconds = ((performance.now() - started) / 1000).toFixed(0);
		await new Promise((resolve) => setTimeout(resolve, statisticsMilliseconds));
		console.log(`hot-updates: ${videos} videos lived in ${seconds} s`);
		for (const { table, updates, hot } of await updatesOf(opened.database))
			console.log(`hot-updates: ${table}: ${((hot / updates) * 100).toFixed(0)} % of ${updates} updates`);
		await opened.close();
	} finally {
		await closeDatabase?.();
	}
}
