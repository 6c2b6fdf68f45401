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
			moves: [{ state: firstState(record), at: record.created_at.toISOString(), worker: null }, ...movesOf(record)],
			encodes: encodesOf(record),
		};
	};

/** A clip begins as uploaded: nothing moved it there. */
const firstState = ({ state, moves, created_at, uploaded_at }: VideoRecord): "uploaded" | "pending_upload" => {
	const isMovedOn = moves.length === 0 ? state === "uploaded" : moves[0]?.state !== "uploaded";
	return isMovedOn && uploaded_at?.getTime() === created_at.getTime() ? "uploaded" : "pending_upload";
};

/** A video that ended before moves were noted has those that other columns tell of. */
function movesOf(record: VideoRecord): VideoTimeline["moves"] {
	const { moves, state, uploaded_at, available_at } = record;
	if (moves.length > 0 || state === firstState(record))
		return moves.map(({ state, at, worker }) => ({ state, at: new Date(at).toISOString(), worker }));
	const known = [
		["uploaded", uploaded_at],
		["available", available_at],
	] as const;
	return known.flatMap(([state, at]) => (at === null ? [] : [{ state, at: at.toISOString(), worker: null }]));
}

/** A job keeps what an attempt told until the first heartbeat of the next, with which the video is `encoding` again. */
function encodesOf({ state, job }: VideoRecord): VideoTimeline["encodes"] {
	if (state !== "encoding" || !job?.encodes || job.claimed_at === null) return [];
	const claimedAt = Date.parse(job.claimed_at);
	const after = (seconds: number) => new Date(claimedAt + seconds * 1000).toISOString();
	return job.encodes.map(({ renditions, started_seconds, seconds, progress }) => ({
		renditions,
		started_at: after(started_seconds),
		ended_at: seconds === undefined ? null : after(started_seconds + seconds),
		progress,
	}));
}
