import type { CallResult } from "@reelmill/client";
import type { Tone } from "../../components/state-badge.tsx";
import { workerName } from "../../format/worker-name.ts";
import type { EncodeRun, Step } from "./report-parts.ts";

type Timeline = CallResult<"getVideoTimeline">;
type State = Timeline["moves"][number]["state"];
type Delivery = Pick<CallResult<"listWebhookDeliveries">["data"][number], "type" | "attempts">;

/** A stretch of time, in milliseconds since 1970. */
export type Bar = { readonly from: number; readonly to: number; readonly tone: Tone };

export type Phase = {
	readonly name: string;
	/** Who did it, or what came of it. */
	readonly detail: string | null;
	readonly bars: readonly Bar[];
	/** How deep it is: 1 for a part of the phase before it, 2 for a part of that part. */
	readonly depth: 0 | 1 | 2;
};

export type Life = { readonly from: number; readonly to: number; readonly phases: readonly Phase[] };

type Known = {
	readonly timeline: Timeline;
	readonly deliveries: readonly Delivery[];
	/** How long the parts of the last attempt took. They follow one another, but for the transcript. */
	readonly steps: readonly Step[];
	/** Which renditions the last attempt encoded together, and when. An older worker doesn't tell. */
	readonly encodes: readonly EncodeRun[];
	readonly renditions: readonly string[];
	readonly now: number;
};

const phaseOf: Partial<Record<State, "upload" | "wait" | "process">> = {
	pending_upload: "upload",
	uploaded: "wait",
	queued: "wait",
	locked: "process",
	encoding: "process",
};
const encodePart = "Encode";
const parts: Readonly<Record<string, string>> = {
	fetch: "Fetch",
	look: "Look at it",
	encode: encodePart,
	transcribe: "Transcribe",
	package: "Package",
	outro: "Add the outro",
	send: "Publish",
};
/** An attempt of a webhook that came later is told and not drawn: it would make all else too small to see. */
const latestMilliseconds = 30_000;

/** Puts the life of a video to scale: what took from when to when, the present included while it goes on. */
export function lifeOf({ timeline, deliveries, steps, encodes, renditions, now }: Known): Life {
	const { moves, first_byte_at } = timeline;
	const bars: Record<"upload" | "wait" | "process", Bar[]> = { upload: [], wait: [], process: [] };
	const workers: string[] = [];
	for (const [index, { state, at, worker }] of moves.entries()) {
		if (worker !== null) workers.push(workerName(worker));
		const phase = phaseOf[state];
		const next = moves[index + 1];
		if (phase === undefined) continue;
		if (phase === "upload" && first_byte_at === null) continue;
		const from = Date.parse(phase === "upload" ? (first_byte_at ?? at) : at);
		const bar = { from, to: next ? Date.parse(next.at) : Math.max(from, now), tone: toneOf(phase, next?.state) };
		const before = bars[phase].at(-1);
		if (before && before.to === from) bars[phase].splice(-1, 1, { ...bar, from: before.from });
		else bars[phase].push(bar);
	}
	const all = Object.values(bars).flat();
	const begun = Date.parse(first_byte_at ?? moves[0]?.at ?? new Date(now).toISOString());
	const ended = Math.max(begun, ...all.map(({ to }) => to));
	const webhook = webhookOf(deliveries, ended);
	const phases: Phase[] = [
		{ name: "Upload", detail: isBad(bars.upload.at(-1)) ? "expired" : null, bars: bars.upload, depth: 0 },
		{ name: "Wait", detail: null, bars: bars.wait, depth: 0 },
		{
			name: "Process",
			detail: processOf([...new Set(workers)], bars.process),
			bars: bars.process,
			depth: 0,
		},
		...(steps.length > 0
			? partsOf({ steps, encodes, renditions }, bars.process.at(-1))
			: runningOf(timeline.encodes ?? [], now)),
		...(webhook ? [webhook] : []),
	];
	const to = Math.max(ended, ...(webhook?.bars ?? []).map((bar) => bar.to));
	return { from: begun, to, phases: phases.filter((phase) => phase.bars.length > 0) };
}

const isBad = (bar: Bar | undefined): boolean => bar?.tone === "bad";

/** Who processed it, and how many attempts came to nothing: the colour of their bars alone is not seen by everybody. */
function processOf(workers: readonly string[], attempts: readonly Bar[]): string | null {
	const said = workers.length === 0 ? [] : [`by ${workers.join(", ")}`];
	const failed = attempts.filter(isBad).length;
	if (failed > 0)
		said.push(attempts.length === 1 ? "failed" : `${failed} of ${attempts.length} attempts did not finish`);
	return said.length === 0 ? null : said.join("; ");
}

function toneOf(phase: "upload" | "wait" | "process", next: State | undefined): Tone {
	if (next === undefined) return "busy";
	if (phase === "wait") return "idle";
	const hasFailed =
		phase === "process" ? next === "failed" || next === "timeout" || next === "queued" : next === "expired";
	return hasFailed ? "bad" : "good";
}

function partsOf(
	{ steps, encodes, renditions }: Pick<Known, "steps" | "encodes" | "renditions">,
	whole: Bar | undefined,
): Phase[] {
	if (whole === undefined) return [];
	let at = whole.from;
	let encodeBegan = at;
	return steps.flatMap(({ step, seconds }): Phase[] => {
		if (step === "encode") encodeBegan = at;
		const from = step === "transcribe" ? encodeBegan : at;
		const to = Math.min(whole.to, from + seconds * 1000);
		if (step !== "transcribe") at = to;
		const bar: Bar = { from: Math.min(from, to), to, tone: "good" };
		const runs = step === "encode" ? rowsOf(encodes.map((run) => ranOf(run, bar))) : [];
		return [
			{
				name: parts[step] ?? step,
				detail: step === "encode" && runs.length === 0 ? togetherOf(renditions) : null,
				bars: [bar],
				depth: 1,
			},
			...runs,
		];
	});
}

/** One program encodes several renditions at once, and no one can tell how much of its time was for which. */
const togetherOf = (renditions: readonly string[]): string | null =>
	renditions.length === 0 ? null : `${renditions.join(", ")}${renditions.length > 1 ? " together" : ""}`;

type Run = { readonly renditions: readonly string[]; readonly bar: Bar; readonly progress: number | null };

const ranOf = ({ renditions, started, seconds }: EncodeRun, whole: Bar): Run => {
	const from = Math.min(whole.to, whole.from + started * 1000);
	return { renditions, bar: { from, to: Math.min(whole.to, from + seconds * 1000), tone: "good" }, progress: null };
};

/** What is encoded now, and how far each rendition has come. */
function runningOf(encodes: Timeline["encodes"], now: number): Phase[] {
	const runs = encodes.map(({ renditions, started_at, ended_at, progress }): Run => {
		const from = Date.parse(started_at);
		const to = ended_at === null ? Math.max(from, now) : Date.parse(ended_at);
		return { renditions, bar: { from, to, tone: ended_at === null ? "busy" : "good" }, progress };
	});
	const last = runs.at(-1);
	if (last === undefined) return [];
	const rows = rowsOf(runs);
	const from = Math.min(...runs.map(({ bar }) => bar.from));
	const to = Math.max(...runs.map(({ bar }) => bar.to));
	const tone = runs.some(({ bar }) => bar.tone === "busy") ? "busy" : "good";
	const detail = rows.length > 0 ? null : `${togetherOf(last.renditions)}, ${last.progress} %`;
	return [{ name: encodePart, detail, bars: [{ from, to, tone }], depth: 1 }, ...rows];
}

/** The renditions that are encoded apart, each with a bar for each of its encodes; none if all are encoded together. */
function rowsOf(runs: readonly Run[]): Phase[] {
	const found = new Map<string, Run[]>();
	for (const run of runs.toSorted((one, other) => one.bar.from - other.bar.from)) {
		const name = run.renditions.join(", ");
		found.set(name, [...(found.get(name) ?? []), run]);
	}
	if (found.size < 2) return [];
	return [...found].map(([name, ofName]) => {
		const progress = ofName.at(-1)?.progress ?? null;
		const said = [...(name.includes(", ") ? ["together"] : []), ...(progress === null ? [] : [`${progress} %`])];
		return {
			name,
			detail: said.length === 0 ? null : said.join(", "),
			bars: ofName.map(({ bar }) => bar),
			depth: 2,
		};
	});
}

function webhookOf(deliveries: readonly Delivery[], ended: number): Phase | null {
	const attempts = deliveries
		.flatMap((delivery) => delivery.attempts)
		.toSorted((one, other) => Date.parse(one.attempted_at) - Date.parse(other.attempted_at));
	const bars = attempts.map(({ attempted_at, duration_ms, error }): Bar => {
		const from = Date.parse(attempted_at);
		return { from, to: from + duration_ms, tone: error === null ? "good" : "bad" };
	});
	const shown = bars.filter(({ from }) => from < ended + latestMilliseconds);
	if (shown.length === 0) return null;
	const later = bars.length - shown.length;
	const answers = attempts.slice(0, shown.length).map(({ response_status }) => response_status ?? "no answer");
	const more = later === 0 ? [] : [`${later} later`];
	return { name: "Webhook", detail: [...answers, ...more].join(", "), bars: shown, depth: 0 };
}
