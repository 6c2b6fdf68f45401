import type { Obstacle } from "./foreign-answer.ts";

/**
 * A request of `httpStack`. Its `getMethod` returns the method that is meant, also if it is sent as POST; `bytes` are
 * those of its body.
 */
export type StackRequest = { getMethod(): string; readonly isOverridden: boolean; readonly bytes: number };

/** How requests to one origin pass what stands on their way. */
export type Way = {
	/** The methods that are sent as POST, with their names in `X-HTTP-Method-Override`. */
	readonly overridden: Set<string>;
	/** The longest body that may pass, in bytes. */
	longestBody: number;
};

const shortestBody = 256 * 1024;
const ways = new Map<string, Way>();

/** Returns the way to a URL's origin: what was learned of it holds for the page, or for the process. */
export function wayTo(url: string): Way {
	const { origin } = new URL(url);
	const way = ways.get(origin) ?? { overridden: new Set(), longestBody: Number.POSITIVE_INFINITY };
	ways.set(origin, way);
	return way;
}

/**
 * Looks for another way past the obstacle on which a request failed; `unclear` is one that no answer names. The next
 * requests are sent by POST, by the method itself if POST fails too, or with half of the body, down to 256 KiB. Returns
 * whether the body is shorter now than what was refused for its size.
 */
export function findWay(way: Way, request: StackRequest, obstacle: Obstacle | "unclear" | undefined): boolean {
	const method = request.getMethod();
	if ((obstacle === "unclear" || obstacle === "method") && method !== "POST")
		way.overridden[request.isOverridden ? "delete" : "add"](method);
	if ((obstacle !== "unclear" && obstacle !== "size") || request.bytes <= shortestBody) return false;
	way.longestBody = Math.max(shortestBody, Math.min(way.longestBody, Math.ceil(request.bytes / 2)));
	return obstacle === "size";
}
