import type { CallResult } from "@reelmill/client";
import type { Tone } from "../../components/state-badge.tsx";
import { workerName } from "../../format/worker-name.ts";
import type { Step } from "./report-parts.ts";

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
	/** Whether it is a part of the phase before it. */
	readonly isPart: boolean;
};

export type Life = { readonly from: number; readonly to: number; readonly phases: readonly Phase[] };

type Known = {
	readonly timeline: Timeline;
	readonly deliveries: readonly Delivery[];
	/** How long the parts of the last attempt took. They follow one another, but for the transcript. */
	readonly steps: readonly Step[];
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
const parts: Readonly<Record<string, string>> = {
	fetch: "Fetch",
	look: "Look at it",
	encode: "Encode",
	transcribe: "Transcribe",
	package: "Package",
	outro: "Add the outro",
	send: "Publish",
};
/** An attempt of a webhook that came later is told and not drawn: it would make all else too small to see. */
const latestMilliseconds = 30_000;

/** Puts the life of a video to scale: what took from when to when, the present included while it goes on. */
export function lifeOf({ timeline, deliveries, steps, renditions, now }: Known): Life {
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
		{ name: "Upload", detail: isBad(bars.upload.at(-1)) ? "expired" : null, bars: bars.upload, isPart: false },
		{ name: "Wait", detail: null, bars: bars.wait, isPart: false },
		{
			name: "Process",
			detail: processOf([...new Set(workers)], bars.process),
			bars: bars.process,
			isPart: false,
		},
		...partsOf(steps, renditions, bars.process.at(-1)),
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

function partsOf(steps: readonly Step[], renditions: readonly string[], whole: Bar | undefined): Phase[] {
	if (whole === undefined) return [];
	let at = whole.from;
	let encodes = at;
	return steps.map(({ step, seconds }) => {
		if (step === "encode") encodes = at;
		const from = step === "transcribe" ? encodes : at;
		const to = Math.min(whole.to, from + seconds * 1000);
		if (step !== "transcribe") at = to;
		return {
			name: parts[step] ?? step,
			detail: step === "encode" && renditions.length > 0 ? renditions.join(", ") : null,
			bars: [{ from: Math.min(from, to), to, tone: "good" }],
			isPart: true,
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
	return { name: "Webhook", detail: [...answers, ...more].join(", "), bars: shown, isPart: false };
}
