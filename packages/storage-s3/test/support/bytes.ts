import { createHash, randomBytes } from "node:crypto";
import type { Bytes } from "@reelmill/engine/ports";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const random = (length: number): Buffer => randomBytes(length);

export async function* chunks(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function collect(bytes: Bytes | undefined): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of bytes ?? []) parts.push(part);
	return Buffer.concat(parts);
}
