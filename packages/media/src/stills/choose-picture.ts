import type { Picture } from "./picture.ts";

/** What is judged of a picture. */
export type Judged = Pick<Picture, "contrast" | "range" | "detail" | "colour" | "edges" | "grain">;

/** Noise has this much grain or more. */
const noisy = 1.25;
/** Noise has more detail and edges than any scene, so its score is cut to this share. */
const noiseFactor = 0.01;
/** A picture this near to the best is as good. The first of them is taken. */
const asGood = 0.97;

/** Rises from 0 to 1; it is a half at `middle`, and what lies far above that makes little difference. */
const rising = (value: number, middle: number): number => value / (value + middle);

/**
 * Scores how well a picture stands for its video, from 0 to 1: by contrast, the range from dark to bright, detail,
 * edges and colour. Each can spoil it alone, but for colour: black, white, faded, blurred and mixed pictures, noise,
 * and titles on one colour score less than a scene. Scores of different videos tell nothing about each other.
 */
export function scorePicture({ contrast, range, detail, colour, edges, grain }: Judged): number {
	const clean = grain < noisy ? 1 : noiseFactor;
	const faded = Math.min(1, range / 160);
	const coloured = 0.75 + 0.25 * rising(colour, 20);
	return clean * faded * rising(contrast, 40) * (detail / 5) ** 1.5 * rising(edges, 10) * coloured;
}

/** Returns the index of the first picture that scores as well as the best; 0 if there is none. */
export function choosePicture(pictures: readonly Judged[]): number {
	const scores = pictures.map(scorePicture);
	const best = Math.max(...scores);
	return Math.max(
		0,
		scores.findIndex((score) => score >= best * asGood),
	);
}
