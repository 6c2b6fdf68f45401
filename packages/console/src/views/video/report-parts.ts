/** A report as a worker wrote it. Nothing of it is certain: its fields may change, and an older worker told less. */
export type RawReport = Readonly<Record<string, unknown>>;

export type Decision = { readonly about: string; readonly decision: string; readonly because: string };
export type Step = { readonly step: string; readonly seconds: number };
/** Renditions that were encoded together, in seconds from the beginning of the encode. */
export type EncodeRun = { readonly renditions: readonly string[]; readonly started: number; readonly seconds: number };
export type Track = { readonly name: string; readonly bytes: number; readonly peak_bitrate: number };

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const recordsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Reads what a person can be shown of a report, leaving out what has another form than expected. */
export function partsOf(report: RawReport) {
	const source = isRecord(report.source) ? report.source : {};
	const proof = isRecord(report.proof) ? report.proof : {};
	const decisions = recordsOf(report.decisions).map(
		({ about, decision, because }): Decision => ({
			about: String(about ?? ""),
			decision: String(decision ?? ""),
			because: String(because ?? ""),
		}),
	);
	const steps = recordsOf(report.steps)
		.map(({ step, seconds }): Step => ({ step: String(step), seconds: Number(seconds) }))
		.filter(({ seconds }) => Number.isFinite(seconds));
	const encodes = recordsOf(report.encodes)
		.map(
			({ renditions, started_seconds, seconds }): EncodeRun => ({
				renditions: Array.isArray(renditions) ? renditions.map(String) : [],
				started: Number(started_seconds),
				seconds: Number(seconds),
			}),
		)
		.filter((run) => run.renditions.length > 0 && Number.isFinite(run.started) && Number.isFinite(run.seconds));
	const tracks = recordsOf(proof.tracks).map(
		({ name, bytes, peak_bitrate }): Track => ({
			name: String(name),
			bytes: Number(bytes),
			peak_bitrate: Number(peak_bitrate),
		}),
	);
	const failure = typeof report.failure === "string" ? report.failure : null;
	return { source, decisions, steps, encodes, tracks, failure };
}
