import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "@prometheus-io/client";

const patienceMilliseconds = 1000;

/**
 * Creates the gauges of the disk under a directory, called `disk` in their labels. A disk that fails, or does not
 * answer within a second, has `NaN`; one that hangs never has more than one question.
 *
 * @example
 * ```ts
 * import { createDiskMetrics } from "@reelmill/operations";
 * import { Registry } from "@prometheus-io/client";
 *
 * const registry = new Registry();
 * createDiskMetrics(registry, "data", ".");
 * const [free] = (await registry.getSingleMetric("reelmill_disk_free_bytes")?.get())?.values ?? [];
 * console.log(free?.labels, Number(free?.value) > 0); // => { disk: 'data' } true
 * ```
 */
export function createDiskMetrics(registry: Registry, disk: string, directory: string): void {
	let asked: Promise<{ readonly free: number; readonly total: number }> | undefined;
	const ask = async () => {
		const { bsize, bavail, blocks } = await statfs(directory);
		return { free: bavail * bsize, total: blocks * bsize };
	};
	const unknown = { free: Number.NaN, total: Number.NaN };
	const look = async () => {
		asked ??= ask().finally(() => {
			asked = undefined;
		});
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<typeof unknown>((resolve) => {
			timer = setTimeout(() => resolve(unknown), patienceMilliseconds);
		});
		const figures = await Promise.race([asked.catch(() => unknown), late]);
		clearTimeout(timer);
		return figures;
	};
	const gauge = (name: string, help: string, of: "free" | "total") =>
		new Gauge({
			name,
			help,
			labelNames: ["disk"] as const,
			registers: [registry],
			async collect() {
				this.set({ disk }, (await look())[of]);
			},
		});
	gauge("reelmill_disk_free_bytes", "Bytes that are free on the disk.", "free");
	gauge("reelmill_disk_bytes", "Bytes that the disk has.", "total");
}
