import { createCipheriv, createDecipheriv } from "node:crypto";
import type { KeyRing } from "../secrets/index.ts";

/**
 * The place of a minting among all mintings and revocations of the installation, as playback keys carry it: viewers can
 * read the key, but not the number.
 */
export type MintOrder = {
	/** 22 characters, of which nothing tells how far two numbers lie apart, or which is the later. */
	seal(order: number): string;
	/**
	 * The number that `seal` was given. Keys that were minted before orders were sealed carry the number itself. Throws a
	 * RangeError on what none of the keys sealed.
	 */
	open(order: string | number): number;
};

/**
 * One block of AES: a permutation that only the key's holder knows. A key's signature covers it, so it needs none of
 * its own.
 */
const algorithm = "aes-256-ecb";
const blockBytes = 16;
const numberAt = 8;

/** Seals by the first key; opens what any of them sealed. */
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
