import { Counter, Gauge, Histogram, type Registry } from "@prometheus-io/client";
import { type HttpOptions, type PlaneName, planeNames } from "@reelmill/http";

type ByPlane<T> = Readonly<Record<PlaneName, T>>;
const byPlane = <T>(make: (plane: PlaneName) => T): ByPlane<T> =>
	Object.fromEntries(planeNames.map((plane) => [plane, make(plane)])) as ByPlane<T>;

/** From a playlist in memory to a long upload, in seconds. */
const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

/**
 * Creates the listener's `observe`, which counts requests. The metrics of each plane and each status are looked up
 * once, so a request costs no more than a few additions.
 */
export function createRequestMetrics(registry: Registry): NonNullable<HttpOptions["observe"]> {
	const registers = [registry];
	const labelNames = ["plane"] as const;
	const requests = new Counter({
		name: "reelmill_http_requests_total",
		help: "Requests that were answered.",
		labelNames: ["plane", "status"] as const,
		registers,
	});
	const cut = new Counter({
		name: "reelmill_http_requests_cut_total",
		help: "Requests whose client did not get the whole answer.",
		labelNames,
		registers,
	});
	const inFlight = new Gauge({
		name: "reelmill_http_requests_in_flight",
		help: "Requests that are being answered.",
		labelNames,
		registers,
	});
	const seconds = new Histogram({
		name: "reelmill_http_request_duration_seconds",
		help: "Time from a request's head to the end of its answer.",
		labelNames,
		buckets,
		registers,
	});
	const slowed = new Counter({
		name: "reelmill_delivery_slowed_total",
		help: "Deliveries that waited because their client was over its bytes a second.",
		registers,
	});
	const planes = byPlane((plane) => ({
		cut: cut.labels(plane),
		inFlight: inFlight.labels(plane),
		seconds: seconds.labels(plane),
		statuses: new Map<number, Counter.Internal>(),
	}));

	return (plane) => {
		const own = planes[plane];
		own.inFlight.inc();
		return ({ status, complete, seconds: taken, slowed: waited }) => {
			own.inFlight.dec();
			own.seconds.observe(taken);
			let counted = own.statuses.get(status);
			if (counted === undefined) {
				counted = requests.labels(plane, String(status));
				own.statuses.set(status, counted);
			}
			counted.inc();
			if (!complete) own.cut.inc();
			if (waited) slowed.inc();
		};
	};
}
