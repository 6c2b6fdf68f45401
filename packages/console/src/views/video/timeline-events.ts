import type { CallResult } from "@reelmill/client";
import type { Tone } from "../../components/state-badge.tsx";
import { formatDuration } from "../../format/amounts.ts";

type Timeline = CallResult<"getVideoTimeline">;
type Delivery = CallResult<"listWebhookDeliveries">["data"][number];

export type LifeEvent = {
	readonly key: string;
	readonly at: string;
	readonly what: string;
	/** How long it had lasted until then, or who did it. */
	readonly detail: string | null;
	readonly tone: Tone;
};

const names: Readonly<Record<Timeline["moves"][number]["state"], readonly [what: string, tone: Tone]>> = {
	pending_upload: ["Initiated", "idle"],
	uploaded: ["Uploaded", "idle"],
	queued: ["Queued", "idle"],
	locked: ["Taken", "busy"],
	encoding: ["Encoding", "busy"],
	available: ["Available", "good"],
	failed: ["Failed", "bad"],
	timeout: ["Timed out", "bad"],
	expired: ["Expired", "bad"],
	cancelled: ["Cancelled", "idle"],
};

/** What the time since the event before was spent on, by the state that ended with this one. */
const spent: Readonly<Record<string, string>> = {
	pending_upload: "uploading took",
	uploaded: "waited",
	queued: "waited",
	locked: "took",
	encoding: "took",
};

/** A worker is named with the service account before it, which often has the same name. */
const shortName = (worker: string): string => worker.slice(worker.indexOf("/") + 1);

/** Puts a video's moves, the first byte of its upload and the attempts of its webhooks in one row of time. */
export function lifeOf({ moves, first_byte_at }: Timeline, deliveries: readonly Delivery[]): LifeEvent[] {
	const events = moves.map((move, index): LifeEvent => {
		const before = moves[index - 1];
		const [what, tone] = names[move.state];
		const verb = before && spent[before.state];
		const since = before?.state === "pending_upload" && first_byte_at !== null ? first_byte_at : before?.at;
		const lasted = verb && since ? `${verb} ${formatDuration((Date.parse(move.at) - Date.parse(since)) / 1000)}` : null;
		const who = move.worker === null ? null : `by ${shortName(move.worker)}`;
		const detail = [lasted, who].filter((part) => part !== null).join(", ");
		return { key: `${index} ${move.state}`, at: move.at, what, tone, detail: detail === "" ? null : detail };
	});
	const firstByte: LifeEvent[] =
		first_byte_at === null
			? []
			: [{ key: "first byte", at: first_byte_at, what: "First byte", detail: null, tone: "idle" }];
	const attempts = deliveries.flatMap(({ id, type, attempts }) =>
		attempts.map(
			(attempt, index): LifeEvent => ({
				key: `${id} ${index}`,
				at: attempt.attempted_at,
				what: `Webhook ${type.replace("video.", "")}`,
				detail: `${attempt.response_status ?? "no answer"} in ${attempt.duration_ms} ms`,
				tone: attempt.error === null ? "good" : "bad",
			}),
		),
	);
	return [...events, ...firstByte, ...attempts]
		.map((event, index) => ({ event, index }))
		.sort((a, b) => Date.parse(a.event.at) - Date.parse(b.event.at) || a.index - b.index)
		.map(({ event }) => event);
}
