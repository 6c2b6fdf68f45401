import { createHash } from "node:crypto";
import { createRandom } from "../plan/random.ts";

/**
 * Returns a clip that plays. A box that players skip, filled at random, brings it to the size, so that two seeds give
 * different bytes.
 */
export function contentOf(
	clip: Uint8Array,
	seed: number,
	size: number,
): { readonly bytes: Buffer; readonly sha256: string } {
	const bytes = Buffer.alloc(Math.max(size, clip.length + 8));
	bytes.set(clip);
	bytes.writeUInt32BE(bytes.length - clip.length, clip.length);
	bytes.write("free", clip.length + 4, "latin1");
	const random = createRandom(seed);
	for (let at = clip.length + 8; at < bytes.length; at++) bytes[at] = random.integer(0, 255);
	return { bytes, sha256: sha256Of(bytes) };
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
