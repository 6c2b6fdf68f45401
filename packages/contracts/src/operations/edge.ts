import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { IdText, idForm } from "../resources/common.ts";
import { EdgeFeed, PlaybackKeySet } from "../resources/edge.ts";
import { IfNoneMatch } from "./file-headers.ts";

export const getPlaybackKeySet = defineOperation({
	method: "GET",
	path: "/v1/playback-keys/jwks.json",
	plane: "operations",
	audiences: ["operators"],
	tag: "Playback keys",
	summary: "Read the public keys of playback keys",
	description: "For whoever verifies playback keys of `EdDSA` or `ES256`. Counts towards no limit.",
	auth: "none",
	responseHeaders: { "Cache-Control": "A minute." },
	success: { status: 200, body: PlaybackKeySet },
	errors: [],
});

export const getEdgeFeed = defineOperation({
	method: "GET",
	path: "/v1/edge/{domain}",
	plane: "operations",
	audiences: ["operators"],
	tag: "Playback keys",
	summary: "Follow what ends playback keys and cached files of a domain",
	description:
		"For an edge that verifies playback keys and serves private files from its cache; it asks every 2 s. It names neither viewers nor videos. 404 where keys are signed by `HS256`. Only requests for unknown domains count towards a limit.",
	auth: "none",
	params: z.strictObject({
		domain: IdText.meta({
			description: "The domain's id.",
			examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
			...idForm,
		}),
	}),
	headers: z.object({ "If-None-Match": IfNoneMatch }),
	responseHeaders: {
		ETag: "Strong: the SHA-256 of the body, in base64url.",
		"Cache-Control": "`no-cache`.",
		"Reelmill-Edge-Proof":
			'A compact JWS by a key of the JWKS, also with 304: `aud` is "reelmill-edge", `domain` and `sha256` are those of the answer, `iat` says when it held.',
	},
	alternatives: [{ status: 304, description: "The copy that If-None-Match names still holds." }],
	success: { status: 200, body: EdgeFeed },
	errors: ["not_found", "rate_limited"],
});
