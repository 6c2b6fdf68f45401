import * as z from "zod";
import { Id } from "./common.ts";

/** How playback keys are signed. An edge verifies those of `EdDSA` and `ES256` by itself. */
export const playbackKeyAlgorithms = ["HS256", "EdDSA", "ES256"] as const;
export type PlaybackKeyAlgorithm = (typeof playbackKeyAlgorithms)[number];

const text256 = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** The public keys by which playback keys are verified (JWKS, RFC 7517): one of each algorithm for each master key. */
export const PlaybackKeySet = z.object({
	keys: z
		.array(
			z.object({
				kty: z
					.enum(["OKP", "EC"])
					.meta({ description: "The family of the key: `OKP` with `EdDSA`, `EC` with `ES256`." }),
				crv: z.enum(["Ed25519", "P-256"]).meta({ description: "The curve." }),
				x: text256.meta({ description: "The public key, or its first coordinate." }),
				y: text256.exactOptional().meta({ description: "The second coordinate, of `EC` alone." }),
				kid: text256.meta({ description: "Its name in the header of what it signed: the thumbprint of RFC 7638." }),
				alg: z.enum(["EdDSA", "ES256"]).meta({ description: "The only algorithm that it is good for." }),
				use: z.literal("sig").meta({ description: "It verifies signatures." }),
			}),
		)
		.meta({ description: "Those of the present master key come first." }),
});
export type PlaybackKeySet = z.infer<typeof PlaybackKeySet>;

const version = z.string().regex(/^[A-Za-z0-9_-]{8}$/);
const digest = z.string().regex(/^[A-Za-z0-9_-]{16}$/);

/** What an edge that verifies playback keys by itself must know of a domain. */
export const EdgeFeed = z.object({
	domain: Id.meta({ description: "The domain's id." }),
	epoch: z.int().min(0).meta({ description: "The domain's epoch: keys of an earlier one are refused." }),
	viewers: z.record(digest, version).meta({
		description:
			"Viewers with a revocation in force, by the claim `viewer` of their keys. The value changes with each revocation: the service tells which of their keys are still good.",
	}),
	videos: z.record(digest, version).meta({
		description:
			"Videos that were deleted, changed their visibility or got other files in the last 25 hours, by the first 12 bytes of the SHA-256 of the id, in base64url. The value changes with each change: what is cached of the video under another value is out of date.",
	}),
	generation: z.string().min(1).max(32).meta({
		description: "What is cached of the domain under another value is out of date.",
	}),
});
export type EdgeFeed = z.infer<typeof EdgeFeed>;
