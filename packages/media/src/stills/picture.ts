import type { Size } from "../types.ts";

/** What a picture shows. Brightness goes from 0 to 255. */
export type Picture = {
	/** The spread of its brightness: a black, white or faded picture has none. */
	readonly contrast: number;
	/** From the brightness that a hundredth of it is below to the one that a hundredth is above. A fade narrows it. */
	readonly range: number;
	/**
	 * How evenly its pixels use all brightnesses, from 0 to 5: a title on one colour has less than 1, a scene about 4.
	 */
	readonly detail: number;
	/** How strong its colours are: 0 for grey. */
	readonly colour: number;
	/** How much of it is edges at half its size: a blurred picture has few. */
	readonly edges: number;
	/** The edges at full size, as a multiple of those at half: up to 1 in a picture, half as much again in noise. */
	readonly grain: number;
	/** The brightness that only a hundredth of it exceeds. */
	readonly highlight: number;
	/** How much of it, from each side, is black. */
	readonly bars: Bars;
};

/** Shares of the width or the height, from 0 to 1, that are black from edge to edge and end at a picture. */
export type Bars = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

/** A line is black if it has no pixel brighter than this. Encoders don't keep black quite even. */
const blackest = 28;
/** The share of a line that is brighter than black if a picture begins there, and no object in front of black. */
const pictureShare = 0.4;

const noBars: Bars = { left: 0, right: 0, top: 0, bottom: 0 };

/** The brightness of the values of limited range. */
const brightness = Uint8ClampedArray.from({ length: 256 }, (_, value) => Math.round(((value - 16) * 255) / 219));

/** Measures a picture in limited range: its brightness, a byte a pixel, and behind it the planes of its colours. */
export function measurePicture(planes: Uint8Array, size: Size): Picture {
	const { width, height } = size;
	const pixels = planes.subarray(0, width * height).map((value) => brightness[value] as number);
	const counts = new Uint32Array(256);
	for (const value of pixels) (counts[value] as number)++;
	const highlight = quantile(counts, pixels.length, 0.99);
	const edges = measureEdges(halve(pixels, size), { width: width >> 1, height: height >> 1 });
	return {
		contrast: spread(counts, pixels.length),
		range: highlight - quantile(counts, pixels.length, 0.01),
		detail: entropy(counts, pixels.length),
		colour: measureColour(planes.subarray(width * height)),
		edges,
		grain: edges === 0 ? 0 : measureEdges(pixels, size) / edges,
		highlight,
		bars: highlight <= blackest ? noBars : measureBars(pixels, size),
	};
}

/** Returns the standard deviation of the brightness. */
function spread(counts: Uint32Array, total: number): number {
	let sum = 0;
	let squares = 0;
	for (const [value, count] of counts.entries()) {
		sum += value * count;
		squares += value * value * count;
	}
	const mean = sum / total;
	return Math.sqrt(Math.max(0, squares / total - mean * mean));
}

/** Returns the entropy of the brightness in 32 steps, in bits. */
function entropy(counts: Uint32Array, total: number): number {
	let bits = 0;
	for (let step = 0; step < 256; step += 8) {
		const share = counts.subarray(step, step + 8).reduce((sum, count) => sum + count, 0) / total;
		if (share > 0) bits -= share * Math.log2(share);
	}
	return bits;
}

/** Returns the mean distance of the colours from grey. */
function measureColour(planes: Uint8Array): number {
	const length = planes.length >> 1;
	let sum = 0;
	for (let at = 0; at < length; at++)
		sum += Math.hypot((planes[at] as number) - 128, (planes[length + at] as number) - 128);
	return length === 0 ? 0 : sum / length;
}

/** Returns how much each pixel differs from the four around it, on average. */
function measureEdges(pixels: ArrayLike<number>, { width, height }: Size): number {
	const value = (at: number) => pixels[at] as number;
	let edges = 0;
	for (let y = 1; y < height - 1; y++) {
		for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
			edges += Math.abs(4 * value(at) - value(at - 1) - value(at + 1) - value(at - width) - value(at + width));
		}
	}
	return edges / (width * height);
}

/** Returns a picture of half the size, whose pixels are the means of four. */
function halve(pixels: Uint8Array, { width, height }: Size): Float32Array {
	const half = new Float32Array((width >> 1) * (height >> 1));
	const value = (at: number) => pixels[at] as number;
	let n = 0;
	for (let y = 0; y + 1 < height; y += 2) {
		for (let at = y * width; at + 1 < (y + 1) * width; at += 2)
			half[n++] = (value(at) + value(at + 1) + value(at + width) + value(at + width + 1)) / 4;
	}
	return half;
}

/** Returns the brightness that a share of the pixels has at most. */
function quantile(counts: Uint32Array, total: number, share: number): number {
	let left = total * share;
	return Math.max(
		0,
		counts.findIndex((count) => {
			left -= count;
			return left <= 0;
		}),
	);
}

/** Finds bars. A black edge that ends at an object, and not at the straight side of a picture, is none. */
function measureBars(pixels: Uint8Array, { width, height }: Size): Bars {
	const bar = (lines: number, length: number, pixel: (line: number, at: number) => number): number => {
		const bright = (line: number): number => {
			let found = 0;
			for (let at = 0; at < length; at++) if ((pixels[pixel(line, at)] as number) > blackest) found++;
			return found;
		};
		let black = 0;
		while (black < lines && bright(black) === 0) black++;
		// Scaling blends the first line of the picture with the bar.
		const begins = black < lines ? Math.max(bright(black), bright(Math.min(black + 1, lines - 1))) : 0;
		return begins >= length * pictureShare ? black / lines : 0;
	};
	const [x, y] = [width - 1, height - 1];
	return {
		left: bar(width, height, (line, at) => at * width + line),
		right: bar(width, height, (line, at) => at * width + x - line),
		top: bar(height, width, (line, at) => line * width + at),
		bottom: bar(height, width, (line, at) => (y - line) * width + at),
	};
}
