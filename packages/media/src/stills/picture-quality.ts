import type { Size } from "../types.ts";

/**
 * What a grey picture shows. `contrast` is the spread of its brightness: a black, white or faded picture has none.
 * `sharpness` is how much of it is edges: a blurred picture has none.
 */
export type PictureQuality = { readonly contrast: number; readonly sharpness: number };

/** Measures a picture of one byte a pixel. */
export function measureQuality(pixels: Uint8Array, { width, height }: Size): PictureQuality {
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
 * Returns the index of the first picture worth showing: it has at least half of the best contrast and, among those, at
 * least 0.7 of the best sharpness. Returns 0 if there is none.
 */
export function choosePicture(pictures: readonly PictureQuality[]): number {
	const contrast = 0.5 * Math.max(...pictures.map((picture) => picture.contrast));
	const clear = pictures.filter((picture) => picture.contrast >= contrast);
	const sharpness = 0.7 * Math.max(...clear.map((picture) => picture.sharpness));
	return Math.max(
		0,
		pictures.findIndex((picture) => picture.contrast >= contrast && picture.sharpness >= sharpness),
	);
}
