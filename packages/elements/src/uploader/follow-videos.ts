import { type AwaitedVideo, awaitVideo, isOver } from "../base/await-video.ts";

/** Follows what becomes of uploaded videos. */
export type VideoFollower = {
	/** Begins to ask for these videos; those that it follows, and those that are over, it leaves as they are. */
	follow(ids: Iterable<string>, ask: (id: string) => Promise<AwaitedVideo>): void;
	/** What is known of a video; null if nothing is. */
	get(id: string): AwaitedVideo | null;
	/** Asks no more, until `follow` is called again. */
	stop(): void;
};

/**
 * Creates a follower. `changed` is called after each answer. Of many videos each is asked for less often, so that a back
 * end has one question in three seconds. A video that can't be asked for stays as it is known.
 */
export function createVideoFollower(changed: () => void): VideoFollower {
	const known = new Map<string, AwaitedVideo>();
	const followed = new Set<string>();
	let ended = new AbortController();

	async function follow(id: string, ask: () => Promise<AwaitedVideo>, { signal }: AbortController): Promise<void> {
		const learn = (video: AwaitedVideo) => {
			known.set(id, video);
			changed();
		};
		const video = await awaitVideo({
			ask,
			waits: (wait) => "video" in wait && learn(wait.video),
			seconds: () => 3 * followed.size,
			signal,
		}).catch(() => undefined);
		if (signal.aborted) return;
		followed.delete(id);
		if (video) learn(video);
	}

	return {
		follow(ids, ask) {
			for (const id of ids) {
				const video = known.get(id);
				if (followed.has(id) || (video && isOver(video))) continue;
				followed.add(id);
				void follow(id, () => ask(id), ended);
			}
		},
		get: (id) => known.get(id) ?? null,
		stop() {
			ended.abort();
			ended = new AbortController();
			followed.clear();
		},
	};
}
