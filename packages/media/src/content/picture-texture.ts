import type { Size } from "../types.ts";

/** What pictures at one place of a source look like. */
export type Texture = {
	/** The share of neighbouring pixels that are alike: drawn areas are flat, filmed ones never are. */
	readonly flat: number;
	/** The share of hard edges among all edges: those of letters and windows are hard, filmed ones are soft. */
	readonly hard: number;
	/** How far pixels stray by chance from one picture to the next, in the steps of eight bits (standard deviation). */
	readonly noise: number;
};

const [alike, edge, hardEdge] = [1, 8, 64];
const blockSide = 16;
/** The block at this share of all, from the calmest on, tells the noise: it has little motion, and is not clipped. */
const calm = 0.25;

/** Measures grey pictures of one size that follow one another. There must be at least one. */
export function measureTexture(pictures: readonly Uint8Array[], size: Size): Texture {
	const { flat, hard } = measureEdges(pictures[0] as Uint8Array, size);
	const strays = pictures.slice(1).map((next, n) => strayOf(pictures[n] as Uint8Array, next, size));
	// A picture that is repeated tells nothing, so the pair that differs most counts.
	return { flat, hard, noise: Math.max(0, ...strays) };
}

function measureEdges(picture: Uint8Array, { width, height }: Size): { flat: number; hard: number } {
	let [flat, edges, hard] = [0, 0, 0];
	for (let y = 0; y < height; y++) {
		for (let at = y * width; at < (y + 1) * width - 1; at++) {
			const step = Math.abs((picture[at + 1] as number) - (picture[at] as number));
			if (step <= alike) flat++;
			if (step >= edge) edges++;
			if (step >= hardEdge) hard++;
		}
	}
	return { flat: flat / (height * (width - 1)), hard: hard / Math.max(1, edges) };
}

/**
 * Returns the standard deviation of what differs at random between two pictures, of a calm block: the second difference
 * along both axes (Immerkær, 1996) leaves edges and slow changes out.
 */
function strayOf(before: Uint8Array, after: Uint8Array, { width, height }: Size): number {
	const differ = (at: number) => (after[at] as number) - (before[at] as number);
	const blocks: number[] = [];
	for (let top = 1; top + blockSide < height; top += blockSide) {
		for (let left = 1; left + blockSide < width; left += blockSide) {
			let sum = 0;
			for (let y = top; y < top + blockSide; y++) {
				for (let at = y * width + left; at < y * width + left + blockSide; at++) {
					const middle = differ(at - width) + differ(at + width) + differ(at - 1) + differ(at + 1);
					const corners =
						differ(at - width - 1) + differ(at - width + 1) + differ(at + width - 1) + differ(at + width + 1);
					sum += Math.abs(4 * differ(at) - 2 * middle + corners);
				}
			}
			blocks.push(sum / blockSide ** 2);
		}
	}
	blocks.sort((a, b) => a - b);
	const chosen = blocks[Math.floor(blocks.length * calm)] ?? 0;
	// The mean of |N(0, 6 sigma)|, and the difference of two pictures has the variance of both.
	return (Math.sqrt(Math.PI / 2) * chosen) / 6 / Math.SQRT2;
}
