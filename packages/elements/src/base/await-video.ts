import { isFinalState, isReelmillError, secondsUntilRetry, type Video } from "@reelmill/client";
import { pause } from "./pause.ts";

/** What is known of a video that is waited for. */
export type AwaitedVideo = Pick<Video, "id" | "outputs"> &
	Partial<Pick<Video, "state" | "progress" | "failure_reason">>;

/** Whether a video can be played, or never will be. */
export const isOver = ({ outputs, state }: AwaitedVideo): boolean => Boolean(outputs) || isFinalState(state);

/** Why a video is waited for: it is on its way, or there was an error that passes. */
export type Wait<Awaited> =
	| { readonly reason: "preparing"; readonly video: Awaited }
	| { readonly reason: "offline" | "busy"; readonly error: Error };

/** The longest wait between two questions, unless `seconds` or the service asks for more. */
const mostSeconds = 30;
/** How long the service can make a page wait. The page's clock may be wrong. */
const mostBusySeconds = 3600;

/**
 * Asks for a video until it can be played, or never will be; `known` is what the page has of it. Goes on by itself after
 * a lost connection or a busy service. `waits` is called before each wait. `seconds` says how long one
 * is (default: 3); while nothing changes, each is half as long again as the one before, up to 30 s. A page that is
 * hidden asks no more until it is seen. Resolves to undefined once the signal aborts.
 * @throws what `ask` throws, if another question changes nothing
 */
export async function awaitVideo<Awaited extends AwaitedVideo>(options: {
	ask: () => Promise<Awaited>;
	known?: Awaited | null;
	waits: (wait: Wait<Awaited>) => void;
	seconds?: () => number;
	signal: AbortSignal;
}): Promise<Awaited | undefined> {
	const { ask, waits, seconds = () => 3, signal } = options;
	let known = options.known;
	let before: string | undefined;
	let factor = 1;
	while (!signal.aborted) {
		let wait: Wait<Awaited>;
		let leastSeconds = 0;
		try {
			const video = known ?? (await ask());
			known = null;
			if (signal.aborted) break;
			if (isOver(video)) return video;
			wait = { reason: "preparing", video };
		} catch (error) {
			const reason = reasonOf(error);
			if (signal.aborted) break;
			if (reason !== "offline" && reason !== "busy") throw error;
			wait = { reason, error: error as Error };
			if (isReelmillError(error))
				leastSeconds = Math.max(
					10,
					Math.min(
						mostBusySeconds,
						secondsUntilRetry(undefined, (error.extras as { retryAfter?: unknown }).retryAfter) ?? 0,
					),
				);
		}
		waits(wait);
		const now = "video" in wait ? `${wait.video.state} ${wait.video.progress}` : wait.reason;
		factor = now === before ? factor * 1.5 : 1;
		before = now;
		const usual = seconds();
		const waited = Math.max(leastSeconds, usual, Math.min(mostSeconds, usual * factor));
		await pause(waited * 1000, { signal, endsOnline: wait.reason !== "busy" });
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
