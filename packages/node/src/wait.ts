import { type Client, ConnectionError, isReelmillError } from "@reelmill/client";
import type { Video, VideoState } from "@reelmill/contracts";
import pRetry from "p-retry";

export type WaitOptions = {
	/** Ends the waiting; the promise rejects with the signal's reason. */
	signal?: AbortSignal;
	/** Longest pause between two looks, in seconds; 10 unless told. The first pauses are shorter, from 1 s on. */
	intervalSeconds?: number;
	/** Called with the video whenever its state or progress has changed, the first look and the last included. */
	onProgress?: (video: Video) => void;
};

const terminal: Record<VideoState, boolean> = {
	pending_upload: false,
	uploaded: false,
	queued: false,
	locked: false,
	encoding: false,
	available: true,
	failed: true,
	timeout: true,
	expired: true,
	cancelled: true,
};

class NotYet extends Error {}

/** Polls until a terminal state; see `Videos.wait`. */
export async function wait(client: Client, id: string, { signal, intervalSeconds = 10, onProgress }: WaitOptions): Promise<Video> {
	let seen = "";
	const longest = intervalSeconds * 1000;
	return pRetry(
		async () => {
			const video = await client.call("getVideo", { params: { id } }, signal ? { signal } : {});
			const now = `${video.state} ${video.progress}`;
			if (now !== seen) onProgress?.(video);
			seen = now;
			if (!terminal[video.state]) throw new NotYet();
			return video;
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
	error instanceof NotYet || error instanceof ConnectionError || (isReelmillError(error) && (error.status >= 500 || error.code === "rate_limited"));
