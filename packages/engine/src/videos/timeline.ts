import { ReelmillError, type VideoTimeline } from "@reelmill/contracts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { VideoRecord } from "./record.ts";
import type { VideoStore } from "./store.ts";

/**
 * Returns what happened to a video, and when.
 *
 * @throws {ReelmillError} `video_not_found`, for another tenant's video too.
 */
export type ReadTimeline = (principal: TenantPrincipal, id: string) => Promise<VideoTimeline>;

export const createTimeline =
	(store: VideoStore): ReadTimeline =>
	async (principal, id) => {
		const record = await store.find(id, principal);
		if (record === null) throw new ReelmillError("video_not_found");
		return {
			video_id: record.id,
			first_byte_at: record.first_byte_at?.toISOString() ?? null,
			moves: [{ state: "pending_upload", at: record.created_at.toISOString(), worker: null }, ...movesOf(record)],
		};
	};

/** A video that ended before moves were noted has those that other columns tell of. */
function movesOf({ moves, state, uploaded_at, available_at }: VideoRecord): VideoTimeline["moves"] {
	if (moves.length > 0 || state === "pending_upload")
		return moves.map(({ state, at, worker }) => ({ state, at: new Date(at).toISOString(), worker }));
	const known = [
		["uploaded", uploaded_at],
		["available", available_at],
	] as const;
	return known.flatMap(([state, at]) => (at === null ? [] : [{ state, at: at.toISOString(), worker: null }]));
}
