import { giveBack } from "./acts.ts";
import { find, isOver } from "./find.ts";
import { isProcessing, isWorked, type Model, move, type VideoModel, windows } from "./state.ts";
import type { Step } from "./step.ts";

/** A sweep looks at each video in turn, task by task; others may come between. */
export function sweepSteps(videos: readonly VideoModel[], admit: Step): Step[] {
	const tasks = [endUpload, endProcessing, takeBack, endWaiting];
	const live = videos.filter((video) => !isOver(video)).map(({ id }) => id);
	const each = tasks.flatMap((task) =>
		live.flatMap((id): Step[] => [
			(model) => {
				const video = find(model, id);
				if (video !== undefined && !isOver(video)) task(model, video);
				return true;
			},
			admit,
		]),
	);
	return [admit, ...each];
}

const ago = (model: Model, seconds: number): number => model.now - seconds * 1000;

function endUpload(model: Model, video: VideoModel): void {
	if (video.state !== "pending_upload" || video.createdAt > ago(model, windows.pendingUpload)) return;
	move(model, video, { type: video.offset === video.size ? "complete_upload" : "expire_upload" });
}
function endProcessing(model: Model, video: VideoModel): void {
	if (isWorked(video) && (video.startedAt ?? model.now) <= ago(model, windows.processing))
		move(model, video, { type: "fail", reason: "processing_timeout" });
}
function takeBack(model: Model, video: VideoModel): void {
	if (isWorked(video) && video.lockExpiresAt <= model.now) giveBack(model, video, "lost");
}
function endWaiting(model: Model, video: VideoModel): void {
	const since =
		video.state === "uploaded" ? video.uploadedAt : isProcessing(video) && !isWorked(video) ? video.waitingSince : null;
	if (since !== null && since <= ago(model, windows.queue)) move(model, video, { type: "time_out_queue" });
}
