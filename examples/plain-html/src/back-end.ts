import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Reelmill } from "@reelmill/node";
import { uploadRoutes } from "@reelmill/node/hono";
import { Hono } from "hono";

/**
 * Starts a back end of one route, `/video`, which gives the page its uploads, videos and playback keys. `pages` are the
 * folders with the files of the page.
 */
export async function startBackEnd(options: { reelmill: Reelmill; pages: readonly string[]; port: number }) {
	const app = new Hono();
	// Everybody is one visitor here. Yours comes from the session.
	app.all("/video", uploadRoutes({ reelmill: options.reelmill, authorize: () => ({ ref: "visitor" }) }));
	for (const root of options.pages) app.use(serveStatic({ root }));
	const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: options.port });
	if (!server.listening) await once(server, "listening");
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			if ("closeAllConnections" in server) server.closeAllConnections();
			server.close();
		},
	};
}
