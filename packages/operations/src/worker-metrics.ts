import { Counter, Gauge, Histogram, type Registry } from "@prometheus-io/client";
import { warnings } from "@reelmill/contracts/warnings";
import { workerFaults } from "@reelmill/contracts/worker-faults";

/** What a worker tells of an attempt at a job that has ended, as `onJobEnded` of `@reelmill/worker` has it. */
export type EndedJob = {
	readonly kind: string;
	readonly outcome: string;
	readonly seconds: number;
	/** Seconds of the video that were encoded in a second; `null` if no whole video was encoded. */
	readonly encodeSpeed: number | null;
	/** The codes that the report of a completed video warns of (default: none). */
	readonly warnings?: readonly string[];
};

/** What a worker does at this moment, as `status()` of `@reelmill/worker` has it. */
export type WorkerStatus = {
	readonly claims: boolean;
	readonly jobs: readonly { readonly kind: string }[];
	/** What the worker found wrong with itself, by its code; `null` if nothing is. */
	readonly illness: { readonly code: string } | null;
};

/** The metrics of the workers of one process. */
export type WorkerMetrics = {
	/** Counts an attempt that has ended. */
	readonly onJobEnded: (ended: EndedJob) => void;
	/** Begins to show what the worker does. Until then it has no job and claims none. */
	show(status: () => WorkerStatus): void;
};

const kinds = ["video", "outro", "chunk", "transcript", "poster"];
const outcomes = ["completed", "failed", "given_back", "dropped"];
/** From a short clip to the limit of an encode, in seconds. */
const durations = [1, 5, 15, 60, 180, 600, 1800, 3600, 14_400];
/** From a slow machine with AV1 to a fast one with small pictures, in seconds of the video a second. */
const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

/**
 * Creates the metrics of a process's workers in a registry of @prometheus-io/client: the time of jobs, the speed of encodes, what
 * reports warn of, and what the workers do.
 *
 * @example
 * ```ts
 * import { createWorkerMetrics } from "@reelmill/operations";
 * import { Registry } from "@prometheus-io/client";
 *
 * const registry = new Registry();
 * const metrics = createWorkerMetrics(registry);
 * const warnings = ["silent"];
 * metrics.onJobEnded({ kind: "video", outcome: "completed", seconds: 12, encodeSpeed: 2.5, warnings });
 * const text = await registry.metrics();
 * console.log(/duration_seconds_sum.*video.*completed.*$/m.exec(text)?.[0]);
 * // => duration_seconds_sum{kind="video",outcome="completed"} 12
 * console.log(/^.*silent.*$/m.exec(text)?.[0]); // => reelmill_video_warnings_total{code="silent"} 1
 * ```
 */
export function createWorkerMetrics(registry: Registry): WorkerMetrics {
	const registers = [registry];
	const duration = new Histogram({
		name: "reelmill_job_duration_seconds",
		help: "How long attempts at jobs took, from the claim to the end.",
		labelNames: ["kind", "outcome"] as const,
		buckets: durations,
		registers,
	});
	const speed = new Histogram({
		name: "reelmill_encode_speed",
		help: "Seconds of the video that were encoded in a second, of videos that were encoded whole.",
		labelNames: ["kind"] as const,
		buckets: speeds,
		registers,
	});
	const warned = new Counter({
		name: "reelmill_video_warnings_total",
		help: "Videos that were processed and whose report warns of this.",
		labelNames: ["code"] as const,
		registers,
	});
	for (const code of Object.keys(warnings)) warned.inc({ code }, 0);
	for (const kind of kinds) for (const outcome of outcomes) duration.zero({ kind, outcome });
	for (const kind of ["video", "outro"]) speed.zero({ kind });
	let status: () => WorkerStatus = () => ({ claims: false, jobs: [], illness: null });
	new Gauge({
		name: "reelmill_worker_claims",
		help: "1 if the worker claims jobs and the server answers it, else 0.",
		registers,
		collect() {
			this.set(Number(status().claims));
		},
	});
	new Gauge({
		name: "reelmill_worker_fault",
		help: "1 for what the worker found wrong with itself, so that it claims no jobs, else 0.",
		labelNames: ["fault"] as const,
		registers,
		collect() {
			const { illness } = status();
			for (const fault of Object.keys(workerFaults)) this.set({ fault }, Number(fault === illness?.code));
		},
	});
	new Gauge({
		name: "reelmill_worker_jobs",
		help: "Jobs that this process works on.",
		labelNames: ["kind"] as const,
		registers,
		collect() {
			const { jobs } = status();
			for (const kind of kinds) this.set({ kind }, jobs.filter((job) => job.kind === kind).length);
		},
	});
	return {
		onJobEnded({ kind, outcome, seconds, encodeSpeed, warnings: codes = [] }) {
			duration.observe({ kind, outcome }, seconds);
			if (encodeSpeed !== null) speed.observe({ kind }, encodeSpeed);
			for (const code of codes) if (Object.hasOwn(warnings, code)) warned.inc({ code });
		},
		show(read) {
			status = read;
		},
	};
}
