import { isTerminal } from "@reelmill/contracts";
import type { VideoRecord } from "./record.ts";
import type { Step } from "./store.ts";

/** What deleting a video does, whatever its state: in flight it is cancelled first; its outputs go with it. */
export function removal(record: VideoRecord, now: Date): Step {
	const changes = { deleted_at: now };
	if (!isTerminal(record.state)) return { command: { type: "cancel" }, changes };
	return {
		changes,
		discards: record.outputs === null ? [] : [{ kind: "outputs", reference: `${record.domain_id}/${record.id}/` }],
	};
}
