import { afterAll, beforeAll, expect, it } from "vitest";
import { liveVideos, updatesOf } from "./support/hot-updates.ts";
import { type OpenedEngine, openEngine } from "./support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
	const tenant = await opened.tenant("hot", { max_concurrent_processing: 100 });
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: "whsec_test_secret",
	});
	await opened.engine.sweep();
	await liveVideos(opened, tenant.principal, videos);
});
afterAll(() => opened.close());

const videos = 48;

/**
 * Of a hundred updates, so many change no index at least. What falls short does so by what is looked for: the order of
 * turns among tenants (one update of four), and the log by status (the outcome, one of two). The rest is room for pages
 * that are full, as dead rows stay in a page for as long as an old snapshot sees them, which is longer on a busy machine.
 * Updates of videos change their state, by which they are looked for: none of them stays out of the indexes.
 */
const least = { jobs: 70, usage_days: 80, workers_seen: 80, domains: 60, webhook_deliveries: 25 };

it.each(Object.entries(least))("of %s, at least %i in a hundred updates change no index", async (table, percent) => {
	// Each backend tells its statistics some time after its statement.
	const expected = table === "workers_seen" ? 1 : videos;
	await expect
		.poll(async () => (await updatesOf(opened.database)).find((one) => one.table === table)?.updates ?? 0)
		.toBeGreaterThanOrEqual(expected);
	await expect
		.poll(async () => {
			const found = (await updatesOf(opened.database)).find((one) => one.table === table);
			return ((found?.hot ?? 0) / (found?.updates ?? 1)) * 100;
		})
		.toBeGreaterThanOrEqual(percent);
});
