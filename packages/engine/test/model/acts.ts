import { closeWindow, find, findOpen, isOver } from "./find.ts";
import type { Planned } from "./planned.ts";
import { gauges, isWorked, limits, type Model, move, newVideo, type VideoModel, windows } from "./state.ts";

const day = 86_400_000;
const hour = 3_600_000;

/** Actions that happen at one moment: the outcome. */
export function act(model: Model, { action, id, lock }: Planned, observed: string): string {
	const video = find(model, id);
	const open = findOpen(model, id);
	switch (action.type) {
		case "initiate": {
			const fault = initiateFault(model, action);
			if (fault !== null) return fault;
			const made = observed.replace("video ", "");
			model.videos.push(newVideo(made, action.tenant, action.uploader, action.size, model.now));
			return `video ${made}`;
		}
		case "create":
			if (open === undefined) return closeWindow(model, id);
			open.offset ??= 0;
			return `offset ${open.offset}`;
		case "loseCompletion":
			if (open === undefined || open.offset === null) return "nothing";
			open.offset = open.size;
			return "written";
		case "loseWorkers":
			if (video === undefined || !isWorked(video)) return "nothing";
			video.attempt += limits.lostBefore;
			video.losses += limits.lostBefore;
			video.fruitless += limits.lostBefore;
			return "lost";
		case "terminate":
			if (open === undefined) return closeWindow(model, id);
			move(model, open, { type: "cancel" });
			return "ok";
		case "cancel":
			if (video === undefined) return "video_not_found";
			if (isOver(video)) return "invalid_state";
			move(model, video, { type: "cancel" });
			return "ok";
		case "delete":
			if (video === undefined) return "video_not_found";
			if (video.state === "expired" || video.state === "cancelled") return "video_not_deletable";
			if (!isOver(video)) move(model, video, { type: "cancel" });
			video.outputs = [];
			video.deleted = true;
			return "ok";
		case "show":
			if (video === undefined) return "video_not_found";
			video.visibility = action.visibility;
			return "ok";
		case "claimThis":
			return video?.state === "queued" ? take(model, video, observed) : "video_not_claimable";
		default:
			return work(model, video, lock, action);
	}
}

function initiateFault(
	model: Model,
	{ tenant, uploader, size }: { tenant: number; uploader: string | null; size: number },
): string | null {
	const { usedToday, stored, reserved } = gauges(model, tenant);
	if (usedToday + size > limits.dailyBytes) return "upload_quota_exceeded";
	if (stored + reserved + size > limits.storageBytes) return "storage_quota_exceeded";
	const own =
		uploader === null ? [] : model.videos.filter((video) => video.tenant === tenant && video.uploader === uploader);
	if (own.filter(({ state }) => state === "pending_upload").length >= limits.pendingPerUploader)
		return "concurrent_upload_exists";
	if (own.filter(({ expiredAt }) => expiredAt !== null && expiredAt > model.now - day).length >= limits.expiredPerDay)
		return "too_many_incomplete_uploads";
	if (own.filter(({ createdAt }) => createdAt > model.now - hour).length >= limits.hourly) return "rate_limited";
	return null;
}

/** The video is this worker's, under the lock that it was told. */
export function take(model: Model, video: VideoModel, observed: string): string {
	const lock = observed.split(" ").at(-1) ?? "";
	move(model, video, { type: "claim" });
	Object.assign(video, {
		lock,
		attempt: video.attempt + 1,
		lockExpiresAt: model.now + windows.lock * 1000,
		claimedAt: model.now,
		startedAt: video.startedAt === null ? model.now : video.startedAt + model.now - video.queuedAt,
	});
	return `job ${video.id} ${video.attempt} ${lock}`;
}

function work(
	model: Model,
	video: VideoModel | undefined,
	lock: string,
	action: { type: string; retryable?: boolean; stopped?: boolean },
): string {
	if (video === undefined) return "video_not_found";
	if (!isWorked(video)) return "invalid_video_state";
	if (video.lock !== lock) return "not_lock_holder";
	if (action.type === "heartbeat") {
		video.lockExpiresAt = model.now + windows.lock * 1000;
		if (video.state === "locked") move(model, video, { type: "begin" });
	}
	if (action.type === "deliver") video.outputs = [...new Set([...video.outputs, lock])];
	if (action.type === "complete") {
		if (!video.outputs.includes(lock)) return "outputs_incomplete";
		move(model, video, { type: "complete" });
	}
	if (action.type === "fail") {
		if (action.retryable === true) giveBack(model, video, action.stopped === true ? "stopped" : "spoiled");
		else move(model, video, { type: "fail", reason: "invalid_media" });
	}
	return "ok";
}

/**
 * The attempt is over without a result. Only attempts that the job spoiled are counted, and wait. A job that loses one
 * worker after another is taken for what kills them.
 */
export function giveBack(model: Model, video: VideoModel, end: "spoiled" | "stopped" | "lost"): void {
	const spoiled = video.attempt - video.losses;
	const isLast =
		(end === "spoiled" && spoiled >= limits.attempts) || (end === "lost" && video.fruitless + 1 >= limits.fruitless);
	move(model, video, isLast ? { type: "fail", reason: "retries_exhausted" } : { type: "requeue" });
	if (isLast) return;
	Object.assign(video, {
		outputs: video.outputs.filter((lock) => lock !== video.lock),
		lock: null,
		queuedAt: model.now,
		waitingSince: model.now,
		notBefore: model.now + (end === "spoiled" ? 5000 * 2 ** (spoiled - 1) : 0),
	});
	if (end === "spoiled") return;
	video.losses += 1;
	if (end === "lost") video.fruitless += 1;
	video.startedAt = (video.startedAt ?? model.now) + model.now - video.claimedAt;
}
