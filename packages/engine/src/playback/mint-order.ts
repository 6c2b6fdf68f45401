import { createCipheriv, createDecipheriv } from "node:crypto";
import type { KeyRing } from "../secrets/index.ts";

/**
 * Seals the position of a minting among all mintings and revocations of the installation. Playback keys carry it:
 * viewers can read their key, but must not learn the number.
 */
export type MintOrder = {
	/** Returns 22 characters. They reveal neither how far two numbers are apart nor which one is later. */
	seal(order: number): string;
	/**
	 * Returns the number that `seal` was given. Old playback keys carry the number itself, which is returned.
	 *
	 * @throws {RangeError} When none of the keys sealed it.
	 */
	open(order: string | number): number;
};

/**
 * One block of AES: a permutation that only the holder of the key knows. It needs no signature of its own, because the
 * signature of the playback key covers it.
 */
const algorithm = "aes-256-ecb";
const blockBytes = 16;
const numberAt = 8;

/** Seals with the first key, and opens what any of the keys sealed. */
export function createMintOrder(keys: KeyRing): MintOrder {
	return {
		seal(order) {
			const block = Buffer.alloc(blockBytes);
			block.writeBigUInt64BE(BigInt(order), numberAt);
			const cipher = createCipheriv(algorithm, keys[0], null).setAutoPadding(false);
			return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
		},
		open(order) {
			if (typeof order === "number") return order;
			for (const one of keys) {
				const decipher = createDecipheriv(algorithm, one, null).setAutoPadding(false);
				const block = decipher.update(order, "base64url");
				if (block.length === blockBytes && block.readBigUInt64BE(0) === 0n)
					return Number(block.readBigUInt64BE(numberAt));
			}
			throw new RangeError("the order of a playback key was sealed with another key");
		},
	};
}
