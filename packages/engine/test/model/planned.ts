import { type Action, restOf, type WhichLock } from "./actions.ts";
import type { Model } from "./state.ts";

/** An action with the ids, locks and offsets that it means, as its client knows them when it begins. */
export type Planned = {
	readonly action: Action;
	readonly id: string;
	readonly lock: string;
	readonly offset: number;
	readonly bytes: number;
};

const noLock = "00000000-0000-4000-8000-000000000001";

/** Null where there is no video yet that it could be about. `locks` are all that each video was given, in order. */
export function plan(action: Action, model: Model, locks: ReadonlyMap<string, readonly string[]>): Planned | null {
	if (!("video" in action)) return { action, id: "", lock: "", offset: 0, bytes: 0 };
	const { videos } = model;
	const video = videos.at(-1 - (action.video % Math.max(videos.length, 1)));
	if (video === undefined) return null;
	const offset = video.offset ?? 0;
	const bytes = action.type === "append" ? restOf(action.bytes, video.size - offset) : 0;
	const which: WhichLock = "lock" in action ? action.lock : "none";
	const given = locks.get(video.id) ?? [];
	const lock = which === "none" ? undefined : given.at(which === "last" ? -1 : -2);
	return { action, id: video.id, lock: lock ?? noLock, offset, bytes };
}
