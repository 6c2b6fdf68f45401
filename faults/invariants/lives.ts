import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

const terminal = ["available", "failed", "timeout", "expired", "cancelled"];
/**
 * The table of the guide "The life of a video". It is written here once more, so that the service isn't judged by its
 * own table.
 */
const moves: Readonly<Record<string, readonly string[]>> = {
	pending_upload: ["uploaded", "expired", "cancelled"],
	uploaded: ["queued", "timeout", "cancelled"],
	queued: ["locked", "timeout", "cancelled"],
	locked: ["encoding", "queued", "available", "failed", "cancelled"],
	encoding: ["queued", "available", "failed", "cancelled"],
};
const events: Readonly<Record<string, string>> = {
	available: "video.ready",
	failed: "video.failed",
	timeout: "video.failed",
	expired: "video.expired",
	cancelled: "video.cancelled",
};
const mostAttempts = 3;

export const oneLife: Invariant = {
	name: "one life",
	promise:
		"Each video leaves each state once: its changes of state form one chain, from its beginning to its present state, and the table allows each of them. A clip begins as uploaded.",
	check({ final }) {
		const breaches: Breach[] = [];
		const all = by(final.moves, ({ video }) => video);
		for (const video of final.videos) {
			const chain = all.get(video.id) ?? [];
			const broken = chain.find(({ from, to }, index) =>
				index === 0
					? from !== null || to !== (video.source === null ? "pending_upload" : "uploaded")
					: from !== chain[index - 1]?.to || !moves[from ?? ""]?.includes(to),
			);
			if (broken)
				breaches.push({ message: `video ${video.id} moved from ${broken.from} to ${broken.to}`, shownBy: chain });
			else if (chain.at(-1)?.to !== video.state)
				breaches.push({ message: `video ${video.id} is ${video.state} without a move`, shownBy: chain });
		}
		return breaches;
	},
};

export const everyLifeEnds: Invariant = {
	name: "every life ends",
	promise:
		"When everything is at rest, no video waits: each is in an end state, and each failed one had three attempts, was failed by a worker, or is a clip of a video that was deleted.",
	check({ history, final }) {
		const claims = by(final.claims, ({ video }) => video);
		const refused = new Set(
			entriesOf(history, "failed")
				.filter(({ retryable }) => !retryable)
				.map(({ video }) => video),
		);
		const deleted = new Set(final.videos.filter((video) => video.deleted).map(({ id }) => id));
		return final.videos.flatMap((video) => {
			const shownBy = [video, ...final.moves.filter((move) => move.video === video.id)];
			if (!video.deleted && !terminal.includes(video.state))
				return [{ message: `video ${video.id} is still ${video.state}`, shownBy }];
			const attempts = claims.get(video.id)?.length ?? 0;
			if (video.failureReason === "retries_exhausted" && attempts < mostAttempts)
				return [{ message: `video ${video.id} failed after ${attempts} attempts`, shownBy }];
			if (
				video.state === "failed" &&
				video.failureReason !== "retries_exhausted" &&
				!refused.has(video.id) &&
				video.failureReason !== "storage_error" &&
				!(video.failureReason === "source_missing" && deleted.has(video.source ?? ""))
			)
				return [{ message: `video ${video.id} failed by ${video.failureReason}`, shownBy }];
			return [];
		});
	},
};

export const oneEventAMove: Invariant = {
	name: "one event a move",
	promise: "Each change to an end state has one webhook delivery of its type; no other change has one.",
	check({ final }) {
		const deliveries = by(final.deliveries, ({ video }) => video);
		return final.videos.flatMap((video) => {
			const ends = final.moves
				.filter((move) => move.video === video.id && terminal.includes(move.to))
				.map(({ to }) => events[to]);
			const told = (deliveries.get(video.id) ?? []).flatMap(({ type, changed }) => (changed === null ? [type] : []));
			if (ends.join() === told.join()) return [];
			return [
				{
					message: `video ${video.id} has the events ${told.join(", ") || "none"} for ${ends.join(", ") || "none"}`,
					shownBy: [video, ...told],
				},
			];
		});
	},
};
