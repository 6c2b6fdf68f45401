import type { PlaybackFetch } from "./playback-fetch.ts";

/**
 * Makes a fetch try again, up to three times, when no answer comes, or one of a service that is busy or
 * failing. It does not if the browser is offline.
 */
export const patiently =
	(fetchFile: PlaybackFetch): PlaybackFetch =>
	async (url, init) => {
		for (let tries = 0; ; tries++) {
			try {
				const response = await fetchFile(url, init);
				if (tries === 3 || (response.status !== 429 && response.status < 500)) return response;
				await response.body?.cancel();
			} catch (error) {
				if (tries === 3 || !navigator.onLine || !(error instanceof TypeError)) throw error;
			}
			await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries));
		}
	};
