import { type Client, ConnectionError, isFinalState, isReelmillError } from "@reelmill/client";
import type { Outro, OutroState, Video, VideoState } from "@reelmill/contracts";
import pRetry from "p-retry";

/** How patiently `wait` waits, and what it tells meanwhile. */
export type WaitOptions<Seen = Video> = {
	/** Ends the wait. The promise rejects with the signal's reason. */
	signal?: AbortSignal;
	/** The longest pause between two requests in seconds (default: 10). The first pauses are shorter, from 1 s on. */
	intervalSeconds?: number;
	/** Called after the first request, and after each one that shows another state or progress. */
	onProgress?: (seen: Seen) => void;
};

class NotYet extends Error {}

/** Waits for a video: see `Videos.wait`. */
export const wait = (client: Client, id: string, options: WaitOptions): Promise<Video> =>
	poll((call) => client.call("getVideo", { params: { id } }, call), options);

/** Waits for an outro: see `Outros.wait`. */
export const waitForOutro = (client: Client, slug: string, options: WaitOptions<Outro>): Promise<Outro> =>
	poll((call) => client.call("getOutro", { params: { slug } }, call), options);

async function poll<Seen extends { state: VideoState | OutroState; progress?: number }>(
	look: (call: { signal?: AbortSignal }) => Promise<Seen>,
	{ signal, intervalSeconds = 10, onProgress }: WaitOptions<Seen>,
): Promise<Seen> {
	let seen = "";
	const longest = intervalSeconds * 1000;
	return pRetry(
		async () => {
			const found = await look(signal ? { signal } : {});
			const now = `${found.state} ${found.progress}`;
			if (now !== seen) onProgress?.(found);
			seen = now;
			if (!isFinalState(found.state)) throw new NotYet();
			return found;
		},
		{
			retries: Number.POSITIVE_INFINITY,
			minTimeout: Math.min(1000, longest),
			maxTimeout: longest,
			factor: 1.5,
			shouldRetry: ({ error }) => passes(error),
			...(signal ? { signal } : {}),
		},
	);
}

const passes = (error: unknown): boolean =>
	error instanceof NotYet ||
	error instanceof ConnectionError ||
	(isReelmillError(error) && (error.status >= 500 || error.code === "rate_limited"));
