import type { PlaybackFetch } from "./playback-fetch.ts";

/**
 * Makes a fetch try again, up to three times, when no answer comes, or one of a service that is busy or
 * failing. It waits as long as the answer asks, up to half a minute. It does not if the browser is offline.
 */
export const patiently =
	(fetchFile: PlaybackFetch): PlaybackFetch =>
	async (url, init) => {
		for (let tries = 0; ; tries++) {
			let seconds = 2 ** tries / 2;
			try {
				const response = await fetchFile(url, init);
				seconds = Math.max(seconds, Number(response.headers.get("retry-after")) || 0);
				if (tries === 3 || seconds > 30 || (response.status !== 429 && response.status < 500)) return response;
				await response.body?.cancel();
			} catch (error) {
				if (tries === 3 || !navigator.onLine || !(error instanceof TypeError)) throw error;
			}
			await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
		}
	};
