import type { Codec, Size } from "../types.ts";
import { ladder, type Rung } from "./ladder.ts";

const even = (pixels: number): number => Math.max(2, Math.floor(pixels / 2) * 2);

/** Returns the source's own size in even pixels: 4:2:0 chroma has no odd sizes. */
export const evenSize = ({ width, height }: Size): Size => ({ width: even(width), height: even(height) });

/**
 * Returns the source's size fitted into the box of a rung; `null` if the result would be larger than the source. The
 * box has `shortSide` and 16/9 of it, in the source's orientation. In the box of 720, a 1920x804 film becomes 1280x536
 * and a 1080x1920 phone clip 720x1280.
 */
export function rungSize(source: Size, shortSide: number): Size | null {
	const short = Math.min(source.width, source.height);
	const long = Math.max(source.width, source.height);
	const scale = Math.min(shortSide / short, Math.round((shortSide * 16) / 9) / long);
	if (scale > 1) return null;
	// To the nearest even number (853.3 becomes 854), but not over the source's size.
	const scaled = (pixels: number) => Math.max(2, Math.min(even(pixels), Math.round((pixels * scale) / 2) * 2));
	return { width: scaled(source.width), height: scaled(source.height) };
}

/** Returns the rung that a picture of this size and codec was encoded with. */
export function rungOf({ codec, width, height }: Size & { readonly codec: Codec }): Rung {
	const rungs = ladder.filter((rung) => rung.codec === codec);
	return (Math.min(width, height) > 720 || Math.max(width, height) > 1280 ? rungs.at(-1) : rungs[0]) as Rung;
}
