import { hkdfSync } from "node:crypto";

/**
 * Every use of the master key has a key of its own, so that a credential of one family never passes for one of another.
 */
export const keyPurposes = [
	"upload-token",
	"playback-key",
	"mint-order",
	"service-token",
	"cursor",
	"seal",
	"fingerprint",
] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/**
 * The keys of one purpose: what is signed or sealed now is so under the first; what was signed or sealed under any of
 * them is good.
 */
export type KeyRing = readonly [current: Uint8Array, ...previous: Uint8Array[]];

/**
 * The key of a purpose: 32 bytes by HKDF-SHA-256 (RFC 5869) from the instance's master key, which must be 32 bytes or
 * more (RangeError).
 */
export function deriveKey(masterKey: Uint8Array, purpose: KeyPurpose): Uint8Array {
	if (masterKey.byteLength < 32)
		throw new RangeError(`the master key must be at least 32 bytes long, not ${masterKey.byteLength}`);
	return new Uint8Array(hkdfSync("sha256", masterKey, "reelmill", purpose, 32));
}

/** The keys of a purpose, in the order of the master keys. */
export const deriveKeys = ([current, ...previous]: KeyRing, purpose: KeyPurpose): KeyRing => [
	deriveKey(current, purpose),
	...previous.map((masterKey) => deriveKey(masterKey, purpose)),
];
