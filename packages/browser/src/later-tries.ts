import type { PlayerError } from "./player-error.ts";

/**
 * Creates what calls `retry`, now and then, after the last error of a player if it is one that passes: a busy service,
 * and a lost network that the browser does not notice, as behind a sign-in page. The first wait is 30 s, or
 * 5 s if the network is lost. Each later one is twice as long, at most eight times the first, until something is loaded
 * again. A service can want a longer one, up to an hour. A hidden page whose video is paused tries once it is seen.
 */
export function createLaterTries(
	element: HTMLMediaElement,
	signal: AbortSignal,
	retry: () => void,
): (error: PlayerError) => void {
	let factor = 1;
	let timer: ReturnType<typeof setTimeout>;
	const stop = () => clearTimeout(timer);
	const tryIfWatched = () => {
		if (document.hidden && element.paused) timer = setTimeout(tryIfWatched, 1000);
		else {
			factor = Math.min(8, factor * 2);
			retry();
		}
	};
	signal.addEventListener("abort", stop);
	element.addEventListener(
		"progress",
		() => {
			factor = 1;
		},
		{ signal },
	);
	return ({ reason, retryAfter }) => {
		stop();
		const first = reason === "busy" ? 30_000 : reason === "offline" && navigator.onLine && 5000;
		if (!first || signal.aborted) return;
		const asked = Date.parse(retryAfter as string) - Date.now() || 0;
		timer = setTimeout(tryIfWatched, Math.min(3_600_000, Math.max(first * factor, asked)));
	};
}
