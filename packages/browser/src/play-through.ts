/**
 * Lets the promise of `play()` outlive a change of the source, which would end it, for as long as the player exists.
 */
export function patientPlay(element: HTMLVideoElement, onEnd: (work: () => void) => void): void {
	const { play } = element;
	element.play = () =>
		play.call(element).catch((error) => {
			if (element.paused || error.name !== "AbortError") throw error;
			return element.play();
		});
	onEnd(() => {
		element.play = play;
	});
}

/**
 * Changes the source of an element and lets it play if it was to play before: a new source pauses it. The browser's
 * rules on autoplay may refuse that.
 */
export function stillPlaying(element: HTMLVideoElement, change: () => void): void {
	const wanted = !element.paused;
	change();
	if (wanted && element.paused) element.play().catch(() => {});
}

/** Keeps an element from casting, which has no headers, until the player's end. */
export function withoutCasting(element: HTMLVideoElement, onEnd: (work: () => void) => void): void {
	const before = element.disableRemotePlayback;
	element.disableRemotePlayback = true;
	onEnd(() => {
		element.disableRemotePlayback = before;
	});
}
