import { type ConfinementPart, confinementPartNames } from "@reelmill/media";
import { Gauge, type Registry } from "prom-client";

/** Creates a gauge for each part of the confinement. Returns the function that sets them. */
export function createConfinementMetrics(registry: Registry): (missing: readonly ConfinementPart[]) => void {
	const gauge = new Gauge({
		name: "reelmill_confinement",
		help: "1 if embedded workers confine ffmpeg in this respect, else 0.",
		labelNames: ["part"] as const,
		registers: [registry],
	});
	return (missing) => {
		for (const part of confinementPartNames) gauge.set({ part }, missing.includes(part) ? 0 : 1);
	};
}
