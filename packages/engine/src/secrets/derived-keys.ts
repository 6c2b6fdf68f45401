import { hkdfSync } from "node:crypto";

/**
 * Every use of the master key has a key of its own, so that a credential of one family never passes for one of another.
 */
export const keyPurposes = [
	"upload-token",
	"playback-key",
	"playback-key-ed25519",
	"playback-key-p256",
	"viewer-pseudonym",
	"mint-order",
	"service-token",
	"console-session",
	"cursor",
	"webhook-listener",
	"erased-uploader",
	"seal",
	"fingerprint",
] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/** The keys of one purpose. The first one signs and seals; what any of them signed or sealed is good. */
export type KeyRing = readonly [current: Uint8Array, ...previous: Uint8Array[]];

/**
 * Derives the key of a purpose by HKDF-SHA-256 (RFC 5869) from the master key: 32 bytes, or as many as are asked for.
 *
 * @throws {RangeError} when the master key has fewer than 32 bytes.
 */
export function deriveKey(masterKey: Uint8Array, purpose: KeyPurpose, bytes = 32): Uint8Array {
	if (masterKey.byteLength < 32)
		throw new RangeError(`the master key must be at least 32 bytes long, not ${masterKey.byteLength}`);
	return new Uint8Array(hkdfSync("sha256", masterKey, "reelmill", purpose, bytes));
}

/** Derives the keys of a purpose, in the order of the master keys. */
export const deriveKeys = ([current, ...previous]: KeyRing, purpose: KeyPurpose): KeyRing => [
	deriveKey(current, purpose),
	...previous.map((masterKey) => deriveKey(masterKey, purpose)),
];
