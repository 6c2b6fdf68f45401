import { createAnswers } from "./answers/answers.ts";
import type { EdgeCache } from "./cache/cache.ts";
import { createMemoryCache } from "./cache/memory-cache.ts";
import { createFollower } from "./knowledge/follow.ts";
import type { EdgeRequest, Origin } from "./request.ts";

/** What an edge is made of. */
export type EdgeOptions = {
	/** The service's address, such as `https://video.example.com`. */
	readonly service: string;
	/** The ids of the domains whose videos this edge keeps. Other domains' requests go to the service. */
	readonly domains: readonly string[];
	/** Where answers are kept (default: 256 MiB of this process's memory). */
	readonly cache?: EdgeCache;
	/**
	 * What happens to requests while no proven feed has come for 4 s: the service is asked about each (`ask`), or they are
	 * refused with 503 (`refuse`) (default: `ask`).
	 */
	readonly whenStale?: "ask" | "refuse";
	/** Is told why a feed or the keys can't be used (default: nobody). */
	readonly warn?: (message: string) => void;
	/** Asks the service (default: `fetch`, to `service`). It must follow no redirect. */
	readonly origin?: Origin;
	/** A clock that never goes back, in milliseconds (default: `performance.now`). */
	readonly monotonic?: () => number;
	/** Milliseconds since the epoch; only differences count (default: `performance.timeOrigin` and `performance.now`). */
	readonly now?: () => number;
	/**
	 * Whether one request may wait for what another one asked the service (default: true). Workers must not: there, what
	 * one request began ends with it.
	 */
	readonly shared?: boolean;
};

export type Edge = {
	/**
	 * Answers a request for `/videos/...` as the service would, from what is kept where the viewer's key allows it. Other
	 * paths get 404. Rejects when the service is needed and can't be reached.
	 */
	handle(request: EdgeRequest): Promise<Response>;
	/** Asks the service for its feeds now. Call it every 2 s, so that no request waits for them. It never throws. */
	poll(): Promise<void>;
};

/**
 * Creates an edge. It opens nothing and starts no timer: it asks for feeds when requests come, and when `poll` is called.
 *
 * @throws {TypeError} when `service` is no address, or no domain is named.
 */
export function createEdge(options: EdgeOptions): Edge {
	const { handle, follower } = assembleEdge(options);
	return { handle, poll: follower.poll };
}

/** Makes the parts of an edge. */
export function assembleEdge(options: EdgeOptions) {
	const {
		service,
		domains,
		cache = createMemoryCache(),
		whenStale = "ask",
		warn = () => undefined,
		origin = createFetchOrigin(service),
		monotonic = () => performance.now(),
		now = () => performance.timeOrigin + performance.now(),
		shared = true,
	} = options;
	if (!isAddress(service)) throw new TypeError("service must be an address, such as https://video.example.com");
	if (domains.length === 0) throw new TypeError("domains must name at least one domain: nothing is kept without");
	const ask = (target: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
		origin({ method: "GET", target, headers: new Headers(headers) });
	const follower = createFollower({ domains, ask, monotonic, warn, shared });
	const handle = createAnswers({ domains, cache, whenStale, origin, monotonic, now, shared, follower });
	return { handle, follower, origin, monotonic, domains };
}

/** As `URL.canParse`, which Fastly's Compute has not. */
function isAddress(text: string): boolean {
	try {
		return new URL(text).href !== "";
	} catch {
		return false;
	}
}

/** Asks by `fetch`, at the service's address. */
function createFetchOrigin(service: string): Origin {
	const base = service.replace(/\/+$/, "");
	return ({ method, target, headers }) => fetch(base + target, { method, headers, redirect: "manual" });
}
