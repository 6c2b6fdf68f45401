import type { EdgeCache } from "./cache/cache.ts";
import { createPlatformCache, type PlatformCache } from "./cache/platform-cache.ts";
import { createEdge, type EdgeOptions } from "./edge.ts";

/** The context of a request, as Workers hand it over. */
export type WorkerContext = { waitUntil(work: Promise<unknown>): void };

/** A module's default export, as Workers take it. */
export type EdgeWorker = {
	fetch(request: Request, environment: unknown, context: WorkerContext): Promise<Response>;
};

/**
 * Creates a worker on `caches.default`, the cache of the place where it runs. The service counts requests by the
 * address in `CF-Connecting-IP`.
 *
 * @example
 * ```ts
 * import { createWorker } from "@reelmill/edge/workers";
 *
 * export default createWorker({
 * 	service: "https://origin.example.com",
 * 	domains: ["3f0f4a0e-6c6c-4b6e-9c3b-0b5d7a5d8f11"],
 * });
 * ```
 */
export function createWorker(options: Omit<EdgeOptions, "shared">): EdgeWorker {
	let edge: ReturnType<typeof createEdge> | undefined;
	const cache: EdgeCache = options.cache ?? {
		get: (key) => platformCache().get(key),
		set: (key, kept, seconds) => platformCache().set(key, kept, seconds),
	};
	return {
		fetch({ method, url, headers }, _environment, context) {
			// In a worker's first lines there is neither chance nor time.
			edge ??= createEdge({ ...options, cache, shared: false });
			const { pathname, search } = new URL(url);
			return edge.handle({
				method,
				target: pathname + search,
				headers,
				clientAddress: headers.get("cf-connecting-ip") ?? undefined,
				later: (work) => context.waitUntil(work),
			});
		},
	};
}

const platformCache = (): EdgeCache =>
	createPlatformCache((globalThis as unknown as { caches: { default: PlatformCache } }).caches.default);
