import type { Size } from "../types.ts";

const even = (pixels: number): number => Math.max(2, Math.floor(pixels / 2) * 2);

/** The source's own size, made even: 4:2:0 chroma knows no odd sizes. */
export const evenSize = ({ width, height }: Size): Size => ({ width: even(width), height: even(height) });

/**
 * The size of a rung whose box is `shortSide` by 16/9 of it, turned to the source's orientation; null where it would be
 * larger than the source. 1280x720 is the 720 box: a 1920x804 film becomes 1280x536, a 1080x1920 phone clip 720x1280.
 */
export function rungSize(source: Size, shortSide: number): Size | null {
	const short = Math.min(source.width, source.height);
	const long = Math.max(source.width, source.height);
	const scale = Math.min(shortSide / short, Math.round((shortSide * 16) / 9) / long);
	if (scale > 1) return null;
	// Nearest even number, so that 853.3 becomes 854; never over the source.
	const scaled = (pixels: number) => Math.max(2, Math.min(even(pixels), Math.round((pixels * scale) / 2) * 2));
	return { width: scaled(source.width), height: scaled(source.height) };
}
