import type { PlaybackState } from "./player-state.ts";
import { createStore, type Store } from "./store.ts";

const events =
	"play pause playing waiting seeking seeked ended timeupdate durationchange progress ratechange volumechange emptied loadeddata";

/** Makes a store of what an element does. `knownDuration` stands until the element knows it better. */
export function watchPlayback(
	element: HTMLMediaElement,
	knownDuration: number | null,
	signal: AbortSignal,
): Store<PlaybackState> {
	const { store, set } = createStore(read(element, knownDuration));
	for (const event of events.split(" "))
		element.addEventListener(event, () => set(read(element, knownDuration)), { signal });
	return store;
}

function read(element: HTMLMediaElement, knownDuration: number | null): PlaybackState {
	const { paused, ended, currentTime, duration, buffered, playbackRate, muted, volume, readyState } = element;
	let until = currentTime;
	for (let n = 0; n < buffered.length; n++)
		if (buffered.start(n) <= until + 0.1) until = Math.max(until, buffered.end(n));
	return {
		paused,
		waiting: !paused && !ended && readyState < 3,
		ended,
		currentTime,
		duration: Number.isFinite(duration) ? duration : knownDuration,
		bufferedAhead: until - currentTime,
		speed: playbackRate,
		muted,
		volume,
	};
}
