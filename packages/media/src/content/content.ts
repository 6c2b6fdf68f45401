import type { Content } from "../types.ts";
import type { Texture } from "./picture-texture.ts";

/** Measured: screens are 0.86 to 0.93 flat and 0.32 to 0.62 hard, nothing else is more than 0.08 hard. */
const screen = { flat: 0.6, hard: 0.2 };
/** In steps of eight bits. Measured: clips as they come off cameras stray by 2.3 at most. */
const noisy = 3;

const middle = (values: readonly number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/**
 * Tells what a source shows by its textures at some places. What most of them show counts, so that a title of letters
 * makes no screen of a film. Without textures it is taken as filmed. The function is pure.
 */
export function contentOf(textures: readonly Texture[]): Content {
	if (textures.length === 0) return { kind: "filmed", because: "no picture was looked at" };
	const places = textures.length === 1 ? "at one place" : `at the middle one of ${textures.length} places`;
	const [flat, hard] = [middle(textures.map((at) => at.flat)), middle(textures.map((at) => at.hard))];
	const noise = middle(textures.map((at) => at.noise));
	if (flat >= screen.flat && hard >= screen.hard) {
		const shares = `${flat.toFixed(2)} of its pixels are flat, and ${hard.toFixed(2)} of its edges hard`;
		return { kind: "screen", because: `${shares}, ${places}` };
	}
	if (noise >= noisy) return { kind: "noise", because: `pixels stray by ${noise.toFixed(1)} steps, ${places}` };
	return { kind: "filmed", because: `it has neither the edges of a screen nor much noise, ${places}` };
}
