import { videoStates } from "@reelmill/contracts";
import type { EngineMetrics } from "@reelmill/engine";
import { Gauge, type Registry } from "prom-client";

/** Creates the gauges of the whole installation. Returns the function that sets them. */
export function createInstallationMetrics(registry: Registry): (now: EngineMetrics) => void {
	const registers = [registry];
	const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
	const videos = new Gauge({
		name: "reelmill_videos",
		help: "Videos by state, without deleted ones.",
		labelNames: ["state"] as const,
		registers,
	});
	const waiting = gauge("reelmill_jobs_waiting", "Jobs that wait for a worker.");
	const running = gauge("reelmill_jobs_running", "Jobs that a worker holds.");
	const oldest = gauge(
		"reelmill_jobs_oldest_waiting_seconds",
		"How long the oldest waiting job has waited; 0 if none waits.",
	);
	const outbox = gauge("reelmill_webhooks_waiting", "Webhook deliveries that wait for an attempt.");
	const deadLetters = gauge("reelmill_webhooks_dead_letters", "Webhook deliveries that are out of attempts.");
	const uploads = gauge("reelmill_uploads_running", "Uploads whose bytes are arriving.");
	const storage = gauge("reelmill_storage_bytes", "Bytes that are stored for all domains.");
	const publications = gauge(
		"reelmill_publications_waiting",
		"Public videos that are not yet copied to the public folder of their bucket.",
	);

	return (now) => {
		for (const state of videoStates) videos.set({ state }, now.videos[state]);
		waiting.set(now.jobs.waiting);
		running.set(now.jobs.running);
		oldest.set(now.jobs.oldestWaitingSeconds);
		outbox.set(now.webhooks.waiting);
		deadLetters.set(now.webhooks.deadLetters);
		uploads.set(now.uploadsRunning);
		storage.set(now.storageBytes);
		publications.set(now.publicationsWaiting);
	};
}
