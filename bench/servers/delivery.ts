import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, type EngineOptions, type RateLimiter } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { openSendFile } from "@reelmill/sendfile";
import { serverOptions } from "../engine-options.ts";
import { openEngine } from "./open-engine.ts";
import { files } from "./outputs.ts";
import { publish } from "./publish.ts";

export type DeliveryServer = {
	readonly publicPlaylist: string;
	readonly privatePlaylist: string;
	readonly privateMedia: string;
	/** The header that opens private videos. */
	readonly authorization: string;
	/**
	 * The addresses of servers of the same outputs: one counts no requests, one counts them in PostgreSQL, and one also
	 * keeps nothing in memory.
	 */
	readonly uncounted: string;
	readonly counted: string;
	readonly uncached: string;
};

const sendFile = await openSendFile();
const { engine, options, apiKey, close } = await openEngine();
const principal = await engine.keys.authenticate(`Bearer ${apiKey}`);

async function serve(rateLimiter: RateLimiter, rest: Partial<EngineOptions> = {}): Promise<string> {
	const served = createEngine({ ...options, rateLimiter, ...rest });
	const server = createServer(
		serverOptions,
		createNodeListener(served, {
			trustedProxies: ["127.0.0.1"],
			...(sendFile !== null && { sendFile }),
		}),
	);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const [open, closed] = [
	`/videos/${await publish(engine, principal, { visibility: "public", files })}`,
	`/videos/${await publish(engine, principal, { visibility: "private", files })}`,
];
const { playback_key } = await engine.playback.createKey(principal, { viewer_ref: "bench", ttl_seconds: 86_400 });
await engine.stop();

const counting = createPostgresRateLimiter({ database: options.database });
/** Counts as usual, but the limit is so high that one client of a benchmark doesn't reach it. */
const generous: RateLimiter = { take: (key, limit, windowSeconds) => counting.take(key, limit * 1000, windowSeconds) };
const ready: DeliveryServer = {
	publicPlaylist: `${open}/hls/master.m3u8`,
	privatePlaylist: `${closed}/hls/master.m3u8`,
	privateMedia: `${closed}/media/h264_720.mp4`,
	authorization: `Bearer ${playback_key}`,
	uncounted: await serve({ take: async () => ({ allowed: true }) }),
	counted: await serve(generous),
	uncached: await serve(generous, { servingCacheBytes: 0 }),
};
process.once("SIGTERM", async () => {
	await close();
	process.exit();
});
console.log(JSON.stringify(ready));
