import { Gauge, type Registry } from "@prometheus-io/client";
import { jobKinds, videoStates } from "@reelmill/contracts";
import type { EngineMetrics } from "@reelmill/engine";

export type InstallationMetrics = {
	/** Sets the gauges to these counts. */
	set(now: EngineMetrics): void;
	/** Notes that no counts came: the gauges keep the values of the last ones, and are `NaN` if there were none. */
	missed(): void;
};

/**
 * Creates the gauges of the whole installation, and one that says how old their values are. `elapsed` returns
 * milliseconds that only go forwards.
 */
export function createInstallationMetrics(registry: Registry, elapsed: () => number): InstallationMetrics {
	const registers = [registry];
	const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
	const videos = new Gauge({
		name: "reelmill_videos",
		help: "Videos by state, without deleted ones.",
		labelNames: ["state"] as const,
		registers,
	});
	const workers = new Gauge({
		name: "reelmill_workers",
		help: "Workers that were seen within two minutes or have a job, by the kind of job that they do, idle, or ill.",
		labelNames: ["doing"] as const,
		registers,
	});
	const simple: readonly (readonly [Gauge, (now: EngineMetrics) => number])[] = [
		[gauge("reelmill_jobs_waiting", "Jobs that wait for a worker."), (now) => now.jobs.waiting],
		[gauge("reelmill_jobs_running", "Jobs that a worker holds."), (now) => now.jobs.running],
		[
			gauge("reelmill_jobs_oldest_waiting_seconds", "How long the oldest waiting job has waited; 0 if none waits."),
			(now) => now.jobs.oldestWaitingSeconds,
		],
		[gauge("reelmill_webhooks_waiting", "Webhook deliveries that wait for an attempt."), (now) => now.webhooks.waiting],
		[
			gauge("reelmill_webhooks_dead_letters", "Webhook deliveries that are out of attempts."),
			(now) => now.webhooks.deadLetters,
		],
		[gauge("reelmill_uploads_running", "Uploads whose bytes are arriving."), (now) => now.uploadsRunning],
		[gauge("reelmill_storage_bytes", "Bytes that are stored for all domains."), (now) => now.storageBytes],
		[
			gauge(
				"reelmill_publications_waiting",
				"Public videos that are not yet copied to the public folder of their bucket.",
			),
			(now) => now.publicationsWaiting,
		],
	];
	const age = gauge("reelmill_installation_age_seconds", "How long ago the installation was counted successfully.");
	let countedAt: number | undefined;
	const show = (of: (read: (now: EngineMetrics) => number) => number) => {
		for (const [one, read] of simple) one.set(of(read));
		for (const state of videoStates)
			videos.set(
				{ state },
				of((now) => now.videos[state]),
			);
		for (const doing of [...jobKinds, "idle", "ill"] as const)
			workers.set(
				{ doing },
				of((now) => now.workers[doing]),
			);
	};
	return {
		set(now) {
			countedAt = elapsed();
			show((read) => read(now));
			age.set(0);
		},
		missed() {
			if (countedAt === undefined) show(() => Number.NaN);
			age.set(countedAt === undefined ? Number.POSITIVE_INFINITY : (elapsed() - countedAt) / 1000);
		},
	};
}
