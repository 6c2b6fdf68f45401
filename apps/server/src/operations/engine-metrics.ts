import { Counter, Histogram, type Registry } from "@prometheus-io/client";
import type { Observer } from "@reelmill/engine";

/** From a worker that waits for jobs to a queue that takes its time, in seconds. */
const waits = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400];
/** From an endpoint nearby to one that uses up the time of an attempt, in seconds. */
const attempts = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Creates the histograms of what the engine does. Returns what the engine tells them. */
export function createEngineMetrics(registry: Registry): Observer {
	const wait = new Histogram({
		name: "reelmill_queue_wait_seconds",
		help: "How long jobs waited until a worker claimed them from this server.",
		labelNames: ["kind"] as const,
		buckets: waits,
		registers: [registry],
	});
	const attempt = new Histogram({
		name: "reelmill_webhook_attempt_duration_seconds",
		help: "How long attempts to send a webhook took.",
		labelNames: ["outcome"] as const,
		buckets: attempts,
		registers: [registry],
	});
	const imports = new Counter({
		name: "reelmill_import_attempts_total",
		help: "Attempts of this server to fetch an import, by what came of them; waiting is tried again.",
		labelNames: ["outcome"] as const,
		registers: [registry],
	});
	const imported = new Counter({
		name: "reelmill_import_bytes_total",
		help: "Bytes that this server fetched for imports.",
		registers: [registry],
	});
	for (const outcome of ["done", "failed", "cancelled", "waiting"]) imports.inc({ outcome }, 0);
	for (const kind of ["video", "outro"]) wait.zero({ kind });
	for (const outcome of ["delivered", "failed"]) attempt.zero({ outcome });
	return {
		claimed: ({ kind, waitedSeconds }) => wait.observe({ kind }, Math.max(0, waitedSeconds)),
		webhookAttempted: ({ delivered, seconds }) =>
			attempt.observe({ outcome: delivered ? "delivered" : "failed" }, seconds),
		importAttempted({ outcome, bytes }) {
			imports.inc({ outcome });
			imported.inc(bytes);
		},
	};
}
