import { ReelmillError, type VideoState } from "@reelmill/contracts";
import type { AfterChange, Step, VideoRecord, VideoStore } from "../../videos/index.ts";
import { heldBy } from "./held-job.ts";

/**
 * Changes a video by its worker's `step`, and returns the state that it has then. A step of null changes nothing.
 *
 * @throws {ReelmillError} As {@link heldBy}, when `lock` isn't the job's at the moment of the change.
 */
export type ChangeHeld = (
	id: string,
	lock: string,
	step: (record: VideoRecord) => Step | null,
) => Promise<{ id: string; state: VideoState }>;

export const createChangeHeld =
	({ store, afterChange }: { store: VideoStore; afterChange: AfterChange }): ChangeHeld =>
	async (id, lock, step) => {
		const saved = await store.change(id, (record) => step(heldBy(lock, record)));
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		return { id, state: saved.record.state };
	};
