import { fromBackEnd } from "@reelmill/browser/back-end";
import type { PlayerOptions } from "@reelmill/browser/player";
import { isReelmillError, secondsUntilRetry } from "@reelmill/client";

type Video = PlayerOptions["video"];

/** The states of a video that is not there to be played yet. */
const onItsWay = new Set(["pending_upload", "uploaded", "queued", "locked", "encoding"]);

/** How often a back end is asked about a video on its way, in seconds. */
const betweenQuestions = 3;

/** Whether a video may still get something to play. */
const isOnItsWay = ({ outputs, state }: Video): boolean => !outputs && (state === undefined || onItsWay.has(state));

/** What a viewer is told while the video is waited for, and the error that it comes from. */
export type Wait = { readonly reason: "preparing" | "offline" | "busy"; readonly error?: Error };

/**
 * Asks a back end for a video until it can be played, or never will be; `known` is what the page has of it. Goes on by
 * itself after a lost connection, and when a busy service wants it. `waits` is called before each wait. Resolves to
 * undefined once the signal aborts.
 * @throws what `fromBackEnd` throws, if another question changes nothing
 */
export async function findVideo(options: {
	backEnd: string;
	id: string;
	known: Video | null;
	waits: (wait: Wait) => void;
	signal: AbortSignal;
}): Promise<Video | undefined> {
	const { backEnd, id, waits, signal } = options;
	let video = options.known;
	while (!signal.aborted) {
		let seconds = betweenQuestions;
		try {
			video ??= await fromBackEnd(backEnd).video(id);
			if (signal.aborted) break;
			if (!isOnItsWay(video)) return video;
			video = null;
			waits({ reason: "preparing" });
		} catch (error) {
			const reason = reasonOf(error);
			if (signal.aborted) break;
			if (reason !== "offline" && reason !== "busy") throw error;
			waits({ reason, error: error as Error });
			if (isReelmillError(error))
				seconds = Math.max(
					10,
					secondsUntilRetry(undefined, (error.extras as { retryAfter?: unknown }).retryAfter) ?? 0,
				);
		}
		await pause(seconds, signal);
	}
	return undefined;
}

/** The codes of a back end that a viewer is told about with words of their own. */
const reasons: Readonly<Record<string, string>> = {
	unauthorized: "locked",
	forbidden: "locked",
	not_found: "deleted",
	video_not_found: "deleted",
};

/** Says for what reason, as a player's error has it, the back end gave no video. */
export function reasonOf(error: unknown): string {
	if (isReelmillError(error))
		return reasons[error.code] ?? (error.status === 429 || error.status >= 500 ? "busy" : "unknown");
	return error instanceof Error && error.name === "ConnectionError" ? "offline" : "unknown";
}

/** Waits; not longer than until the browser is online again, or the signal aborts. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
	const over = new AbortController();
	await new Promise((resolve) => {
		setTimeout(resolve, seconds * 1000);
		for (const [target, type] of [
			[globalThis, "online"],
			[signal, "abort"],
		] as const)
			target.addEventListener(type, resolve, { signal: over.signal });
	});
	over.abort();
}
