import { createECDH, createPrivateKey, createPublicKey, hash, type KeyObject } from "node:crypto";
import type { PlaybackKeyAlgorithm, PlaybackKeySet } from "@reelmill/contracts";
import { deriveKey, type KeyRing } from "./derived-keys.ts";

type Algorithm = Exclude<PlaybackKeyAlgorithm, "HS256">;
type PublicJwk = PlaybackKeySet["keys"][number];

/** A pair of keys that anybody can verify with, and the one algorithm that it is good for. */
export type SigningKey = {
	readonly algorithm: Algorithm;
	readonly privateKey: KeyObject;
	readonly publicKey: KeyObject;
	readonly jwk: PublicJwk;
};

/** All such pairs: one of each algorithm for each master key. */
export type SigningKeys = {
	/** The pair that signs; `null` if secret keys do. */
	readonly current: SigningKey | null;
	/** Returns the pair with this name if it is one of this algorithm; otherwise undefined. */
	find(kid: string | undefined, algorithm: string | undefined): SigningKey | undefined;
	/** The public keys, those of the present master key first. */
	readonly keySet: PlaybackKeySet;
};

/** Derives the pairs of `masterKeys`, the present one first. The first of `algorithm` signs, unless that is HS256. */
export function createSigningKeys(masterKeys: KeyRing, algorithm: PlaybackKeyAlgorithm): SigningKeys {
	const all = masterKeys.flatMap((masterKey) => [deriveEd25519(masterKey), deriveP256(masterKey)]);
	const known = new Map(all.map((key) => [key.jwk.kid, key]));
	return {
		current: all.find((key) => key.algorithm === algorithm) ?? null,
		find(kid = "", wanted) {
			const key = known.get(kid);
			return key?.algorithm === wanted ? key : undefined;
		},
		keySet: { keys: all.map(({ jwk }) => jwk) },
	};
}

/** What stands before the seed in the PKCS #8 form of an Ed25519 key (RFC 8410, section 7). */
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

function deriveEd25519(masterKey: Uint8Array): SigningKey {
	const seed = deriveKey(masterKey, "playback-key-ed25519");
	const der = Buffer.concat([ed25519Prefix, seed]);
	return pairOf(createPrivateKey({ key: der, format: "der", type: "pkcs8" }), "EdDSA");
}

const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** By FIPS 186-5, A.2.1: eight bytes more than the order has, so that no scalar is likelier than another. */
function deriveP256(masterKey: Uint8Array): SigningKey {
	const wide = BigInt(`0x${Buffer.from(deriveKey(masterKey, "playback-key-p256", 40)).toString("hex")}`);
	const scalar = Buffer.from(((wide % (p256Order - 1n)) + 1n).toString(16).padStart(64, "0"), "hex");
	const curve = createECDH("prime256v1");
	curve.setPrivateKey(scalar);
	const point = curve.getPublicKey();
	const key = {
		kty: "EC",
		crv: "P-256",
		d: scalar.toString("base64url"),
		x: point.toString("base64url", 1, 33),
		y: point.toString("base64url", 33),
	};
	return pairOf(createPrivateKey({ key, format: "jwk" }), "ES256");
}

function pairOf(privateKey: KeyObject, algorithm: Algorithm): SigningKey {
	const publicKey = createPublicKey(privateKey);
	const { crv, kty, x, y } = publicKey.export({ format: "jwk" });
	// RFC 7638: the required members alone, in the order of their names.
	const members = { crv, kty, x, ...(y !== undefined && { y }) } as Pick<PublicJwk, "crv" | "kty" | "x" | "y">;
	const kid = hash("sha256", JSON.stringify(members), "base64url");
	return { algorithm, privateKey, publicKey, jwk: { ...members, kid, alg: algorithm, use: "sig" } };
}
