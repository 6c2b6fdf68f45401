import type { PlaybackKeyAlgorithm } from "@reelmill/contracts";
import type { JWTPayload } from "jose";
import type { Parts } from "../system/index.ts";
import { deriveKeys, type KeyPurpose, type KeyRing } from "./derived-keys.ts";
import { createMasterKeys, type MasterKeys } from "./master-keys.ts";
import { createResealing, type Resealing } from "./resealing.ts";
import { createSealer, type Sealer } from "./seal.ts";
import { createSigningKeys, type SigningKeys } from "./signing-keys.ts";
import { createTokenFamily, type TokenFamily } from "./token-family.ts";

/** All that hangs on the master key. */
export type Secrets = {
	readonly sealer: Sealer;
	/** Returns the keys of a purpose. */
	keys(purpose: KeyPurpose): KeyRing;
	/** Returns the family of tokens for this audience; with `pairs`, anybody can verify it. */
	tokens<Claims extends JWTPayload>(audience: string, purpose: KeyPurpose, pairs?: SigningKeys): TokenFamily<Claims>;
	/** The pairs of keys that playback keys are signed with. */
	readonly signingKeys: SigningKeys;
	readonly masterKeys: Pick<MasterKeys, "check" | "takeTurn">;
	readonly resealing: Resealing;
};

/** Derives every key and assembles the change of the master key. */
export function createSecrets(
	parts: Parts,
	{
		masterKey,
		previousMasterKeys = [],
		lostMasterKey,
		playbackKeyAlgorithm,
		longestTokenSeconds,
	}: {
		masterKey: Uint8Array;
		previousMasterKeys: readonly Uint8Array[] | undefined;
		lostMasterKey: string | undefined;
		playbackKeyAlgorithm: PlaybackKeyAlgorithm;
		/** How long a token that was signed just now is good. */
		longestTokenSeconds: number;
	},
): Secrets {
	const isOther = (key: Uint8Array) => Buffer.compare(key, masterKey) !== 0;
	const ring: KeyRing = [masterKey, ...previousMasterKeys.filter(isOther)];
	const keys = (purpose: KeyPurpose) => deriveKeys(ring, purpose);
	const sealer = createSealer(keys("seal"), parts.random);
	const masterKeys = createMasterKeys(parts, { keys: ring, lost: lostMasterKey });
	const hasPrevious = ring.length > 1;
	return {
		sealer,
		keys,
		tokens: (audience, purpose, pairs) => createTokenFamily(audience, keys(purpose), parts.clock, pairs),
		signingKeys: createSigningKeys(ring, playbackKeyAlgorithm),
		masterKeys,
		resealing: createResealing(parts, { sealer, masterKeys, hasPrevious, longestTokenSeconds }),
	};
}
