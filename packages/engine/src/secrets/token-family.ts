import { createSecretKey, type KeyObject } from "node:crypto";
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../ports/index.ts";
import type { KeyRing } from "./derived-keys.ts";
import type { SigningKeys } from "./signing-keys.ts";

export type TokenFamily<Claims> = {
	/**
	 * Returns a signed token (JWT) that begins at `from`, Unix time in milliseconds (default: now), and ends
	 * `ttlSeconds` after it.
	 */
	sign(claims: Claims, ttlSeconds: number, from?: number): Promise<{ token: string; expiresAt: Date }>;
	/**
	 * Returns the claims of a genuine token of this family; `null` for a token of another family, or one that was changed
	 * or has expired.
	 */
	verify(token: string): Promise<Claims | null>;
	/** Returns what `verify` resolves to for a token that was verified lately; `null` for all others. */
	recall(token: string): Claims | null;
	/** Does the same as `verify`, but a genuine token stays good after its end. */
	verifyIgnoringExpiry(token: string): Promise<Claims | null>;
};

const forEver = 100 * 365 * 86_400;
/**
 * Signatures cost ten times the rest of a small request. So genuine tokens are remembered, up to so many characters in
 * all; longer tokens than `longestRemembered` are not.
 */
const rememberedCharacters = 4 * 1024 * 1024;
const longestRemembered = 4096;

type Genuine<Claims> = { readonly claims: Claims; readonly endsAt: number };

/** A key, or how it is found, with the algorithms for which alone it is asked. */
type Verifier = { readonly key: KeyObject | JWTVerifyGetKey; readonly algorithms: string[] };

/**
 * Creates one kind of token: its own audience and its own keys. The first key signs (HS256); each is good to verify
 * with. With `pairs`, what any of these signed is good as well, and their current one signs if there is one. `Claims`
 * are ours alone: `verify` returns what `sign` was given.
 */
export function createTokenFamily<Claims extends JWTPayload>(
	audience: string,
	keys: KeyRing,
	clock: Clock,
	pairs?: SigningKeys,
): TokenFamily<Claims> {
	const [secret, ...previous] = keys.map((key) => createSecretKey(key)) as [KeyObject, ...KeyObject[]];
	const pair = pairs?.current ?? null;
	const header = pair === null ? { alg: "HS256" } : { alg: pair.algorithm, kid: pair.jwk.kid };
	const findPublic: JWTVerifyGetKey = ({ kid, alg }) => {
		const found = pairs?.find(kid, alg);
		if (found === undefined) throw new errors.JWKSNoMatchingKey();
		return found.publicKey;
	};
	const verifiers: readonly Verifier[] = [
		...[secret, ...previous].map((key) => ({ key, algorithms: ["HS256"] })),
		...(pairs === undefined ? [] : [{ key: findPublic, algorithms: ["EdDSA", "ES256"] }]),
	];
	const known = new LRUCache<string, Genuine<Claims>>({
		maxSize: rememberedCharacters,
		maxEntrySize: longestRemembered,
		sizeCalculation: (_, token) => token.length,
	});
	/** The claims of a token that is genuine by this verifier, whether it has ended or not. */
	const readBy = async ({ key, algorithms }: Verifier, token: string): Promise<Genuine<Claims> | null> => {
		try {
			const { payload } = await jwtVerify<Claims>(token, key as JWTVerifyGetKey, {
				audience,
				algorithms,
				currentDate: new Date(clock.now()),
				clockTolerance: forEver,
				requiredClaims: ["exp"],
			});
			const genuine = { claims: payload, endsAt: (payload.exp as number) * 1000 };
			known.set(token, genuine);
			return genuine;
		} catch {
			return null;
		}
	};
	const read = async (token: string): Promise<Genuine<Claims> | null> => {
		// jose splits at every dot, however many there are.
		if (token.split(".", 4).length !== 3) return null;
		for (const verifier of verifiers) {
			const genuine = await readBy(verifier, token);
			if (genuine !== null) return genuine;
		}
		return null;
	};
	return {
		async sign(claims, ttlSeconds, from = clock.now()) {
			const now = Math.floor(from / 1000);
			const token = await new SignJWT(claims)
				.setProtectedHeader({ ...header, typ: "JWT" })
				.setAudience(audience)
				.setIssuedAt(now)
				.setExpirationTime(now + ttlSeconds)
				.sign(pair?.privateKey ?? secret);
			return { token, expiresAt: new Date((now + ttlSeconds) * 1000) };
		},
		async verify(token) {
			const genuine = known.get(token) ?? (await read(token));
			return genuine !== null && genuine.endsAt > clock.now() ? genuine.claims : null;
		},
		recall(token) {
			const genuine = known.get(token);
			return genuine !== undefined && genuine.endsAt > clock.now() ? genuine.claims : null;
		},
		async verifyIgnoringExpiry(token) {
			const genuine = known.get(token) ?? (await read(token));
			return genuine?.claims ?? null;
		},
	};
}
