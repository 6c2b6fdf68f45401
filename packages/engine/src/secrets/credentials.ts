import { hash, timingSafeEqual } from "node:crypto";
import type { Random } from "../ports/index.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a new secret: `prefix` and 32 random bytes in base62 (43 characters). */
export function mintSecret(prefix: string, random: Random): string {
	let value = BigInt(`0x${Buffer.from(random.bytes(32)).toString("hex")}`);
	let text = "";
	for (let i = 0; i < 43; i++) {
		text = alphabet[Number(value % 62n)] + text;
		value /= 62n;
	}
	return prefix + text;
}

/** Returns the SHA-256 of a secret of full entropy. Nothing else is stored of it. */
export const hashSecret = (secret: string): Uint8Array => hash("sha256", secret, "buffer");

/** Compares two hashes in a time that doesn't tell where they differ. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
	a.byteLength === b.byteLength && timingSafeEqual(a, b);

const scheme = "Bearer ";

/** Returns the credential of an `Authorization: Bearer ...` header (RFC 6750, section 2.1); `null` if it has none. */
export function bearer(authorization: string | null): string | null {
	const match = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? "");
	return match?.[1] ?? null;
}

/**
 * Returns what {@link bearer} returns of a header as most clients write it, and some other text of another header. It
 * costs much less: it fits a look-up of credentials that are known already.
 */
export const likelyCredential = (authorization: string): string =>
	authorization.startsWith(scheme) ? authorization.slice(scheme.length) : "";
