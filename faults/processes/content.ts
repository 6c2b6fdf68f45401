import { createHash } from "node:crypto";
import { createRandom } from "../plan/random.ts";

/** What uploads begin with. */
export type Clips = { readonly short: Uint8Array; readonly long: Uint8Array };

/** One in so many uploads is long. */
const longEach = 5;

/**
 * Returns a clip that plays, which one the seed says. A box that players skip, filled at random, brings it to the size, so that two seeds give
 * different bytes.
 */
export function contentOf(
	{ short, long }: Clips,
	seed: number,
	size: number,
): { readonly bytes: Buffer; readonly sha256: string } {
	const clip = seed % longEach === 0 ? long : short;
	const bytes = Buffer.alloc(Math.max(size, clip.length + 8));
	bytes.set(clip);
	bytes.writeUInt32BE(bytes.length - clip.length, clip.length);
	bytes.write("free", clip.length + 4, "latin1");
	const random = createRandom(seed);
	for (let at = clip.length + 8; at < bytes.length; at++) bytes[at] = random.integer(0, 255);
	return { bytes, sha256: sha256Of(bytes) };
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
