import { Counter, collectDefaultMetrics, Gauge, type Registry } from "@prometheus-io/client";
import type { ProcessCounts } from "@reelmill/engine";

/**
 * Creates the metrics of this process: its own counts, which are read when the metrics are asked for, and those of Node
 * (CPU, memory, lag of the event loop, garbage collection).
 */
export function createProcessMetrics(registry: Registry, counts: () => ProcessCounts): void {
	const registers = [registry];
	const counter = (name: string, help: string, read: () => number) =>
		new Counter({
			name,
			help,
			registers,
			collect() {
				this.reset();
				this.inc(read());
			},
		});
	counter("reelmill_delivery_memory_hits_total", "Deliveries whose bytes were in memory.", () => counts().memory.hits);
	counter(
		"reelmill_delivery_memory_misses_total",
		"Deliveries whose bytes were read from storage.",
		() => counts().memory.misses,
	);
	counter(
		"reelmill_delivery_lost_files_total",
		"Deliveries of a file that should be in the storage by its video's record, and was not there.",
		() => counts().lostFiles,
	);
	counter("reelmill_storage_failures_total", "Uses of a bucket that failed.", () => counts().storageFailures);
	const gauge = (name: string, help: string, read: () => number) =>
		new Gauge({
			name,
			help,
			registers,
			collect() {
				this.set(read());
			},
		});
	gauge("reelmill_delivery_memory_bytes", "Bytes of memory that kept outputs take.", () => counts().memory.bytes);
	gauge(
		"reelmill_clock_offset_seconds",
		"How far this machine's clock is ahead of the database's.",
		() => counts().clockAheadMilliseconds / 1000,
	);
	gauge(
		"reelmill_master_key_previous_secrets",
		"Secrets that are sealed under a previous master key.",
		() => counts().masterKeys.secretsUnderPrevious,
	);
	gauge("reelmill_master_key_previous_needed", "1 while a previous master key may still be needed, else 0.", () =>
		Number(counts().masterKeys.previousNeeded),
	);
	collectDefaultMetrics({ register: registry });
}
