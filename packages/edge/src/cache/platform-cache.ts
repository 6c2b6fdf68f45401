import type { EdgeCache } from "./cache.ts";

/** What an edge uses of the Cache API, such as `caches.default` of Workers. */
export type PlatformCache = {
	match(request: string): Promise<Response | undefined>;
	put(request: string, response: Response): Promise<void>;
};

/** No request of a client can name it: it is reserved (RFC 2606). */
const place = "https://reelmill-edge.invalid/";
const aboutHeader = "reelmill-about";

/** Creates a cache on the Cache API. It is one for each of a CDN's places. */
export function createPlatformCache(cache: PlatformCache): EdgeCache {
	const addressOf = (key: string): string => place + encodeURIComponent(key);
	return {
		async get(key) {
			const found = await cache.match(addressOf(key));
			const about = found?.headers.get(aboutHeader);
			if (found === undefined || about === null || about === undefined) return undefined;
			return { about: decodeURIComponent(about), bytes: new Uint8Array(await found.arrayBuffer()) };
		},
		async set(key, { about, bytes }, seconds) {
			const headers = {
				"cache-control": `max-age=${Math.floor(seconds)}`,
				"content-type": "application/octet-stream",
				[aboutHeader]: encodeURIComponent(about),
			};
			await cache.put(addressOf(key), new Response(bytes as Uint8Array<ArrayBuffer>, { headers }));
		},
	};
}
