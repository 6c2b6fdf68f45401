import { type Model, move, type VideoModel, windows } from "./state.ts";

export const find = (model: Model, id: string): VideoModel | undefined =>
	model.videos.find((video) => video.id === id && !video.deleted);
/** The video, if its upload can go on. */
export function findOpen(model: Model, id: string): VideoModel | undefined {
	const video = find(model, id);
	return video?.state === "pending_upload" && video.createdAt + windows.pendingUpload * 1000 > model.now
		? video
		: undefined;
}

/** An upload whose window closed is completed by whoever looks, if it has every byte. */
export function closeWindow(model: Model, id: string): string {
	const video = find(model, id);
	if (video?.state === "pending_upload" && video.offset === video.size) move(model, video, { type: "complete_upload" });
	return "upload_not_pending";
}

export const isOver = ({ state }: VideoModel): boolean =>
	["available", "failed", "timeout", "expired", "cancelled"].includes(state);
