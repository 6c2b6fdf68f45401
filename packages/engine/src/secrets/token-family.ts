import { createSecretKey } from "node:crypto";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../ports/index.ts";

export type TokenFamily<Claims> = {
	/** A signed token (JWT, HS256) that ends `ttlSeconds` from now. */
	sign(claims: Claims, ttlSeconds: number): Promise<{ token: string; expiresAt: Date }>;
	/** The claims of a genuine token of this family, or null: tampered with, of another family, malformed or expired. */
	verify(token: string): Promise<Claims | null>;
	/** As `verify`, but a genuine token stays good after its end. */
	verifyIgnoringExpiry(token: string): Promise<Claims | null>;
};

const forEver = 100 * 365 * 86_400;

/** One kind of token: its own audience and its own key. `Claims` are ours alone; what `sign` put in, `verify` gives back. */
export function createTokenFamily<Claims extends JWTPayload>(audience: string, key: Uint8Array, clock: Clock): TokenFamily<Claims> {
	const secret = createSecretKey(key);
	const verify = async (token: string, clockTolerance: number): Promise<Claims | null> => {
		try {
			const { payload } = await jwtVerify<Claims>(token, secret, {
				audience,
				algorithms: ["HS256"],
				currentDate: new Date(clock.now()),
				clockTolerance,
				requiredClaims: ["exp"],
			});
			return payload;
		} catch {
			return null;
		}
	};
	return {
		async sign(claims, ttlSeconds) {
			const now = Math.floor(clock.now() / 1000);
			const token = await new SignJWT(claims)
				.setProtectedHeader({ alg: "HS256", typ: "JWT" })
				.setAudience(audience)
				.setIssuedAt(now)
				.setExpirationTime(now + ttlSeconds)
				.sign(secret);
			return { token, expiresAt: new Date((now + ttlSeconds) * 1000) };
		},
		verify: (token) => verify(token, 0),
		verifyIgnoringExpiry: (token) => verify(token, forEver),
	};
}
