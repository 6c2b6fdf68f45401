import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "../ports/index.ts";

export type Sealer = { seal(plain: string): string; open(sealed: string): string };

/** Keeps secrets that must be read back: AES-256-GCM, `base64url(iv 12 || tag 16 || ciphertext)`. `open` throws on anything that this key did not seal. */
export function createSealer(key: Uint8Array, random: Random): Sealer {
	return {
		seal(plain) {
			const iv = random.bytes(12);
			const cipher = createCipheriv("aes-256-gcm", key, iv);
			const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
			return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
		},
		open(sealed) {
			const bytes = Buffer.from(sealed, "base64url");
			const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
			decipher.setAuthTag(bytes.subarray(12, 28));
			return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
		},
	};
}
