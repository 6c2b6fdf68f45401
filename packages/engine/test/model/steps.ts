import { act, take } from "./acts.ts";
import { closeWindow, find, findOpen } from "./find.ts";
import type { Planned } from "./planned.ts";
import { gauges, limits, move, type VideoModel } from "./state.ts";
import type { Step } from "./step.ts";
import { sweepSteps } from "./sweep-steps.ts";

/**
 * What an action does, in order; what others do may come between two steps. `alone` says that nobody else did anything,
 * so that nobody was in the way.
 */
export function stepsOf(planned: Planned, videos: readonly VideoModel[], alone: boolean): Step[] {
	const { action } = planned;
	if (action.type === "sweep") return sweepSteps(videos, admit);
	if (action.type === "append") return [write(planned), finishWrite(planned), admit];
	if (action.type === "status") return [look(planned), finishLook(planned), admit];
	if (action.type === "claim") return [claim(alone)];
	return [(model, observed) => observed === act(model, planned, observed), admit];
}

/** The oldest uploaded videos take the free slots. */
const admit: Step = (model) => {
	for (const [tenant, slots] of limits.slots.entries()) {
		const waiting = model.videos.filter((video) => video.tenant === tenant && video.state === "uploaded");
		waiting.sort((a, b) => (a.uploadedAt ?? 0) - (b.uploadedAt ?? 0) || (a.id < b.id ? -1 : 1));
		for (const video of waiting.slice(0, Math.max(0, slots - gauges(model, tenant).processing))) {
			move(model, video, { type: "admit" });
			Object.assign(video, {
				attempt: 0,
				queuedAt: model.now,
				waitingSince: video.uploadedAt,
				notBefore: model.now,
				startedAt: null,
			});
		}
	}
	return true;
};

/**
 * A row that another statement holds is passed over: then a claim may come away with nothing, or with a younger job.
 */
const claim =
	(alone: boolean): Step =>
	(model, observed) => {
		const waiting = model.videos.filter(({ state, notBefore }) => state === "queued" && notBefore <= model.now);
		if (observed === "nothing") return waiting.length === 0 || !alone;
		const video = waiting.find(({ id }) => observed.includes(id));
		if (video === undefined || take(model, video, observed) !== observed) return false;
		return (
			!alone ||
			waiting.every(({ turn, queuedAt }) => turn > video.turn || (turn === video.turn && queuedAt >= video.queuedAt))
		);
	};

const write =
	({ id, offset, bytes }: Planned): Step =>
	(model, observed) => {
		const video = findOpen(model, id);
		if (video === undefined) return observed === closeWindow(model, id);
		if (video.offset === null) return observed === "not_found";
		if (video.offset !== offset) return observed === "bad_request";
		const isTooMany = offset + bytes > video.size;
		video.offset = Math.min(offset + bytes, video.size);
		if (isTooMany) return observed === "size_mismatch";
		video.finishing = video.offset === video.size;
		// Whether the last byte counts is seen when its completion is saved.
		return observed === `offset ${video.offset}` || (video.finishing && observed === "upload_not_pending");
	};

const finishWrite =
	({ id }: Planned): Step =>
	(model, observed) => {
		const video = model.videos.find((one) => one.id === id);
		if (!video?.finishing) return true;
		video.finishing = false;
		if (video.state === "pending_upload") move(model, video, { type: "complete_upload" });
		return observed.startsWith("offset") === (video.uploadedAt !== null && !video.deleted);
	};

const look =
	({ id }: Planned): Step =>
	(model, observed) => {
		const video = findOpen(model, id);
		if (video === undefined) return observed === closeWindow(model, id);
		return observed === (video.offset === null ? "not_found" : `offset ${video.offset}`);
	};

const finishLook =
	({ id }: Planned): Step =>
	(model, observed) => {
		const video = find(model, id);
		if (video?.state === "pending_upload" && observed === `offset ${video.size}`)
			move(model, video, { type: "complete_upload" });
		return true;
	};
