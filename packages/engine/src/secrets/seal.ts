import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "../ports/index.ts";
import type { KeyRing } from "./derived-keys.ts";

export type Sealer = {
	/** Seals a text under the current key. A column that holds such texts is listed in `secrets/sealed-columns.ts`. */
	seal(plain: string): string;
	/** Returns the text that was sealed under any of the keys. Throws on anything else. */
	open(sealed: string): string;
	/**
	 * Returns the text and the place of the key that it was sealed under (0: the current key); `null` if it is none of
	 * them.
	 */
	tryToOpen(sealed: string): { readonly plain: string; readonly key: number } | null;
};

/** Seals secrets that must be read back: AES-256-GCM, `base64url(iv 12 || tag 16 || ciphertext)`. */
export function createSealer(keys: KeyRing, random: Random): Sealer {
	const tryToOpen: Sealer["tryToOpen"] = (sealed) => {
		for (const [index, key] of keys.entries()) {
			const plain = openWith(key, sealed);
			if (plain !== null) return { plain, key: index };
		}
		return null;
	};
	return {
		tryToOpen,
		seal(plain) {
			const iv = random.bytes(12);
			const cipher = createCipheriv("aes-256-gcm", keys[0], iv);
			const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
			return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
		},
		open(sealed) {
			const opened = tryToOpen(sealed);
			if (opened === null) throw new Error("This was sealed under none of the master keys that are known here.");
			return opened.plain;
		},
	};
}

function openWith(key: Uint8Array, sealed: string): string | null {
	try {
		const bytes = Buffer.from(sealed, "base64url");
		const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
		decipher.setAuthTag(bytes.subarray(12, 28));
		return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
	} catch {
		return null;
	}
}
