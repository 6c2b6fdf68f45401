import { isReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { matchesNone } from "../headers/conditional.ts";
import type { Handlers } from "../json/operations.ts";
import { Rendered, WithHeaders } from "../json/with-headers.ts";

type Names = "getPlaybackKeySet" | "getEdgeFeed";

export const edgeHandlers = ({ playback, rateLimits }: Engine): Pick<Handlers, Names> => ({
	getPlaybackKeySet: async () => new WithHeaders(playback.keySet(), { "cache-control": "public, max-age=60" }),
	getEdgeFeed: async ({ input: { params, headers }, request }) => {
		const feed = await playback.edgeFeed(params.domain).catch(async (error: unknown) => {
			// Ids can't be guessed, but each guess costs a statement.
			if (isReelmillError(error, "not_found")) await rateLimits.take("api", request.clientKey);
			throw error;
		});
		const { body, etag, proof } = feed;
		const shared = { etag, "cache-control": "no-cache", "reelmill-edge-proof": proof };
		if (matchesNone(headers["If-None-Match"], etag)) return new Rendered({ status: 304, headers: shared, body: null });
		return new Rendered({
			status: 200,
			headers: {
				"content-type": "application/json; charset=utf-8",
				"content-length": String(Buffer.byteLength(body)),
				...shared,
			},
			body,
		});
	},
});
