import { Gauge, type Registry } from "@prometheus-io/client";
import { type ConfinementPart, confinementPartNames } from "@reelmill/media";

/**
 * Creates a gauge for each part of ffmpeg's confinement. Returns the function that is told which are missing; until its
 * first call they have no value.
 *
 * @example
 * ```ts
 * import { createConfinementMetrics } from "@reelmill/operations";
 * import { Registry } from "@prometheus-io/client";
 *
 * const registry = new Registry();
 * createConfinementMetrics(registry)(["network"]);
 * console.log((await registry.metrics()).includes('reelmill_confinement{part="network"} 0')); // => true
 * ```
 */
export function createConfinementMetrics(registry: Registry): (missing: readonly ConfinementPart[]) => void {
	const gauge = new Gauge({
		name: "reelmill_confinement",
		help: "1 if ffmpeg is confined in this respect, else 0.",
		labelNames: ["part"] as const,
		registers: [registry],
	});
	return (missing) => {
		for (const part of confinementPartNames) gauge.set({ part }, missing.includes(part) ? 0 : 1);
	};
}
