import { createPlayer, type Player, type PlayerOptions, type PlayerState } from "@reelmill/browser/player";
import { type RefCallback, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

/** What `usePlayer` needs: the video and where keys come from. */
export type UsePlayerOptions = Omit<PlayerOptions, "element" | "video"> & {
	/** The video object of the API; null or undefined while there is none yet. */
	video: PlayerOptions["video"] | null | undefined;
};

/** What `usePlayer` gives: the player and its state. */
export type UsedPlayer = {
	/** Goes to the `ref` of your `<video>`. */
	ref: RefCallback<HTMLVideoElement>;
	/** The player, for `setLevel`, `showCaptions` and so on; null until there are an element and a video. */
	player: Player | null;
	/** Null until there is a player. */
	state: PlayerState | null;
};

/**
 * Plays a video in your own `<video>`. The player begins when there are an element and a video, begins anew when the
 * video is another one, and ends with the component. It reads `key` anew each time, and the other options once.
 * @example
 * ```ts
 * import { usePlayer } from "@reelmill/react";
 * import { createElement } from "react";
 * import { renderToString } from "react-dom/server";
 *
 * function Watch() {
 * 	const { ref, state } = usePlayer({ video: null, key: async () => (await fetch("/my-backend/key")).json() });
 * 	return createElement("figure", null, createElement("video", { ref, controls: true }), state?.status ?? "no video");
 * }
 * console.log(renderToString(createElement(Watch))); // => <figure><video controls=""></video>no video</figure>
 * ```
 */
export function usePlayer(options: UsePlayerOptions): UsedPlayer {
	const [element, setElement] = useState<HTMLVideoElement | null>(null);
	const [player, setPlayer] = useState<Player | null>(null);
	const latest = useRef(options);
	useEffect(() => {
		latest.current = options;
	});
	// The same video in a new object is not another one.
	const video = JSON.stringify(options.video ?? null);
	useEffect(() => {
		const { key, ...rest } = latest.current;
		const parsed = JSON.parse(video) as UsePlayerOptions["video"];
		if (!element || !parsed) return;
		const created = createPlayer({
			...rest,
			element,
			video: parsed,
			...(key ? { key: () => latest.current.key?.() } : {}),
		});
		setPlayer(created);
		return () => {
			created.destroy();
			setPlayer(null);
		};
	}, [element, video]);
	const subscribe = useCallback((changed: () => void) => player?.state.subscribe(changed) ?? (() => {}), [player]);
	const get = () => player?.state.get() ?? null;
	return { ref: setElement, player, state: useSyncExternalStore(subscribe, get, get) };
}
