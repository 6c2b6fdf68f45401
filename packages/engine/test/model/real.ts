import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, type EngineOptions } from "@reelmill/engine";
import { openEngine } from "../support/open-engine.ts";
import { run } from "./clients.ts";
import { type Observed, observe, turns } from "./observed.ts";
import type { Planned } from "./planned.ts";
import { limits, windows } from "./state.ts";
import type { Tenant, World } from "./world.ts";

/** The world as commands act on it. */
export type Real = World & {
	run(planned: Planned, server: number): Promise<string>;
	observe(): Promise<Observed>;
	/** The turns of the jobs that wait. */
	turns(): Promise<ReadonlyMap<string, number>>;
};

/** Tables that each run begins without rows of. */
const emptied = [
	"videos",
	"jobs",
	"webhook_deliveries",
	"webhook_exchanges",
	"deletions",
	"usage_days",
	"upload_leases",
	"video_titles",
	"video_values",
	"imports",
	"clips",
	"posters",
];

/** Opens the servers once; `begin` gives a clean world with new tenants. `change` plants a defect. */
export async function openWorld(change: (options: EngineOptions) => Partial<EngineOptions> = () => ({})) {
	const opened = await openEngine({ windows });
	const clock = {
		now: opened.clock.now,
		elapsed: opened.clock.elapsed,
		sleep: (milliseconds: number, signal?: AbortSignal) =>
			sleep(milliseconds, undefined, { signal }).catch(() => undefined),
	};
	const options: EngineOptions = { ...opened.options, clock };
	const servers = [createEngine({ ...options, ...change(options) }), createEngine({ ...options, ...change(options) })];
	let count = 0;
	return {
		opened,
		async begin(): Promise<Real> {
			await opened.database.query({ text: `truncate ${emptied.map((name) => `reelmill.${name}`)}`, values: [] });
			const tenants = await Promise.all(
				limits.slots.map(async (slots): Promise<Tenant> => {
					const limited = {
						max_concurrent_processing: slots,
						daily_upload_bytes: limits.dailyBytes,
						storage_bytes_limit: limits.storageBytes,
					};
					const { domain, principal } = await opened.tenant(`model-${count++}`, limited);
					const config = {
						outputs: { hls: false },
						max_concurrent_pending_per_uploader: limits.pendingPerUploader,
						webhook_url: "https://tenant.example",
						webhook_secret: "whsec_model",
					};
					await opened.engine.domains.updateConfig(domain.id, config);
					return { id: domain.id, principal };
				}),
			);
			const real = { opened, servers, tenants, tokens: new Map<string, string>() };
			return {
				...real,
				run: (planned, server) => run(real, planned, server),
				observe: () => observe(real),
				turns: () => turns(real),
			};
		},
		/** What the counts that moves keep lack: nothing if they are right. */
		wrongCounts: () => opened.database.query({ text: "select * from reelmill.recount()", values: [] }),
		async close() {
			await Promise.all(servers.map((server) => server.stop()));
			await opened.close();
		},
	};
}
