import { createHash } from "node:crypto";
import type { Bytes } from "../ports/index.ts";

/** Returns the SHA-256 of bytes in hexadecimal. */
export const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Passes `bytes` on. Once they have come to their end, `sum` returns their SHA-256 in hexadecimal. */
export function summing(bytes: Bytes): { readonly bytes: Bytes; sum(): string } {
	const hash = createHash("sha256");
	async function* passing(): Bytes {
		for await (const chunk of bytes) {
			hash.update(chunk);
			yield chunk;
		}
	}
	return { bytes: passing(), sum: () => hash.digest("hex") };
}
