import type { Metrics } from "@reelmill/engine";
import type { HttpOptions } from "@reelmill/http";
import type { ConfinementPart } from "@reelmill/media";
import { Gauge, Registry } from "prom-client";
import { createConfinementMetrics } from "./confinement-metrics.ts";
import { createInstallationMetrics } from "./installation-metrics.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { within } from "./within.ts";

export type ServerMetrics = {
	readonly observe: NonNullable<HttpOptions["observe"]>;
	/**
	 * Sets which parts of ffmpeg's confinement are missing in embedded workers. Until the first call there is no value.
	 */
	readonly setConfinement: (missing: readonly ConfinementPart[]) => void;
	readonly contentType: string;
	/**
	 * Resolves to all metrics in Prometheus' text format. Those of the whole installation are left out if the database
	 * does not answer within 3 s.
	 */
	text(): Promise<string>;
	/** Returns the names of all metrics. */
	names(): string[];
};

const timeoutMilliseconds = 3000;

export function createServerMetrics(metrics: Metrics): ServerMetrics {
	const [own, installation] = [new Registry(), new Registry()];
	const observe = createRequestMetrics(own);
	createProcessMetrics(own, metrics.thisProcess);
	const database = new Gauge({
		name: "reelmill_database_up",
		help: "1 if the database answered in time, else 0.",
		registers: [own],
	});
	const setInstallation = createInstallationMetrics(installation);
	return {
		observe,
		setConfinement: createConfinementMetrics(own),
		contentType: own.contentType,
		async text() {
			const now = await within(metrics.installation(), timeoutMilliseconds);
			database.set(now === null ? 0 : 1);
			if (now === null) return own.metrics();
			setInstallation(now);
			return `${await own.metrics()}\n${await installation.metrics()}`;
		},
		names: () => [own, installation].flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)),
	};
}
