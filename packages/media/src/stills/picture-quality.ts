import type { Size } from "../types.ts";

/**
 * What one grey picture shows: the spread of its brightness, and how much of it is edges. A black, white or faded
 * picture has no spread, a blurred one no edges.
 */
export type Look = { readonly contrast: number; readonly sharpness: number };

export function lookOf(pixels: Uint8Array, { width, height }: Size): Look {
	let sum = 0;
	let squares = 0;
	for (const value of pixels) {
		sum += value;
		squares += value * value;
	}
	let edges = 0;
	for (let y = 1; y < height - 1; y++) {
		for (let x = 1; x < width - 1; x++) {
			const at = y * width + x;
			const around =
				(pixels[at - 1] as number) +
				(pixels[at + 1] as number) +
				(pixels[at - width] as number) +
				(pixels[at + width] as number);
			edges += Math.abs(4 * (pixels[at] as number) - around);
		}
	}
	const mean = sum / pixels.length;
	return { contrast: Math.sqrt(Math.max(0, squares / pixels.length - mean * mean)), sharpness: edges / pixels.length };
}

/**
 * The index of the first picture worth showing: at least half of the best contrast, and of those at least 0.7 of the
 * best sharpness. 0 where there is none.
 */
export function firstShowable(looks: readonly Look[]): number {
	const contrast = 0.5 * Math.max(...looks.map((look) => look.contrast));
	const sharpness = 0.7 * Math.max(...looks.filter((look) => look.contrast >= contrast).map((look) => look.sharpness));
	return Math.max(
		0,
		looks.findIndex((look) => look.contrast >= contrast && look.sharpness >= sharpness),
	);
}
