import { fromBackEnd } from "@reelmill/browser/back-end";
import { ConnectionError } from "@reelmill/client";
import { type AwaitedVideo, awaitVideo, isOver } from "../base/await-video.ts";

/** Who is asked for a video: the address of a back end, or a function of the page. */
export type VideoSource = string | ((id: string) => Promise<AwaitedVideo>);

/** Follows what becomes of uploaded videos. */
export type VideoFollower = {
	/**
	 * Asks for these videos from now on, and for no others; with null for none. Those that are over stay as they are. A
	 * function is asked for the next answer in place of the one before. After another back end, or after a function in
	 * place of one, all begins again.
	 */
	follow(ids: Iterable<string>, source: VideoSource | null): void;
	/** What is known of a video; null if nothing is. */
	get(id: string): AwaitedVideo | null;
	/** Lets the next `follow` ask for the videos that could not be asked for, too. */
	retry(): void;
	/** Asks no more, until `follow` is called again. */
	stop(): void;
};

/**
 * Creates a follower. `changed` is called after each answer. Of many videos each is asked for less often, so that a back
 * end has one question in three seconds on average. A video that can't be asked for stays as it is known: after a refusal it is
 * asked for again only after `retry`, `stop` or another source.
 */
export function createVideoFollower(changed: () => void): VideoFollower {
	const known = new Map<string, AwaitedVideo>();
	const followed = new Map<string, AbortController>();
	const givenUp = new Set<string>();
	let source: VideoSource | null = null;

	async function ask(id: string): Promise<AwaitedVideo> {
		if (typeof source === "string") return fromBackEnd(source).video(id);
		if (source === null) throw new Error("There is nobody to ask.");
		try {
			return await source(id);
		} catch (cause) {
			// What `fetch` rejects with if no answer came.
			if (!(cause instanceof TypeError)) throw cause;
			throw new ConnectionError("unreachable", cause.message, { cause });
		}
	}

	async function begin(id: string): Promise<void> {
		const turn = new AbortController();
		followed.set(id, turn);
		const learn = (video: AwaitedVideo) => {
			known.set(id, video);
			changed();
		};
		const video = await awaitVideo({
			ask: () => ask(id),
			waits: (wait) => "video" in wait && learn(wait.video),
			seconds: () => 3 * followed.size,
			signal: turn.signal,
		}).catch(() => undefined);
		if (turn.signal.aborted) return;
		followed.delete(id);
		if (video) learn(video);
		else givenUp.add(id);
	}

	function end(ids: Iterable<string>): void {
		for (const id of [...ids]) {
			followed.get(id)?.abort();
			followed.delete(id);
		}
	}

	function stop(): void {
		end(followed.keys());
		givenUp.clear();
	}

	return {
		follow(ids, next) {
			const areBothOfThePage = typeof source === "function" && typeof next === "function";
			if (next !== source && !areBothOfThePage) stop();
			source = next;
			const wanted = new Set(next === null ? [] : ids);
			end([...followed.keys()].filter((id) => !wanted.has(id)));
			for (const id of wanted) {
				const video = known.get(id);
				if (followed.has(id) || givenUp.has(id) || (video && isOver(video))) continue;
				void begin(id);
			}
		},
		get: (id) => known.get(id) ?? null,
		retry: () => givenUp.clear(),
		stop,
	};
}
