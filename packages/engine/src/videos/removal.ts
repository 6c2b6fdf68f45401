import { isTerminal } from "@reelmill/contracts";
import type { VideoRecord } from "./record.ts";
import type { Step } from "./store.ts";

/** Decides what deleting a video does in any state: a video in flight is cancelled first; its outputs go with it. */
export function removal(record: VideoRecord, now: Date): Step {
	const changes = { deleted_at: now };
	if (!isTerminal(record.state)) return { command: { type: "cancel" }, changes };
	return {
		changes,
		discards: [
			...(record.outputs === null
				? []
				: [{ kind: "outputs" as const, reference: `${record.domain_id}/${record.id}/` }]),
			// It is kept for a while after a failure.
			...(record.state === "failed" ? [{ kind: "upload" as const, reference: record.id }] : []),
		],
	};
}
