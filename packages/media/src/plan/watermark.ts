import type { Size } from "../types.ts";

/**
 * A PNG of 512x64: "Reelmill sandbox" in white on black, set in DejaVu Sans Bold. With it, workers need no font.
 */
const picture = [
	"iVBORw0KGgoAAAANSUhEUgAAAgAAAABACAAAAABJ1JBjAAAACXBIWXMAAAABAAAAAQBPJcTWAAAGC0lEQVR4nO1b6xmrIAztMAzDMg7DMgzjMt5qC+QN9FqvvV/OrxZjCMkBwsPHw+Fw",
	"OBwOh8PhcDgcDofD4XA4HA6H42tYtzdOVdIvuAlCsSuVkrta+i04Ae5IgGUjWNe8xK9U5QT4CQK8jQznV+UE+CECADNPgxPgpwhwPgOcAL9FgG05uSonwI8RYD25KifAjxFgO3kx8J32",
	"OgH+Do0Ax98QcyPAyVmAE+AHCIBKMpMOS17X116Bsk40JOz2hrS/lhdQkHc9qTMOfUiA+LLzWcGac1oiMDbEJeXX092ipDX1jaeiw3BBKryfHU3oEKDIyplXc2vPH7PgBGh20SQg1ifH",
	"U8ESU8IMVaIv1YIth1ElcoHUamQnDoswKRoNAZrYgJmQApsAoFZOAWIu2KSpr4FY1WqHRnCBAElQ+kRgTsuE9B0JI1TozYWpikNKtAIGbudmE0BvSEZCRi3JJoChh/Sq6qIXeLRjKRlL",
	"4i0CZFmwYQ0zEnqoSEQieES1nEEAKf4dAiBvthoyFoJdjrIsWQQgsl3HA4n6aqT1jm3mWgSA7am8wm4JExJ6qIgfmWOBJScQIG0SOgSAQak1ME0S3ZkwJwBtLvR8z5zKqzdFq67BbRwr",
	"BwAqajWqW/oSeqgo+IPQV6IWUMjV9ggA5iHVbhA4Y3nNCWBUJncr0d6M/o0u4axVgOi0PQsNjfrLBxIDDqAYUKIWELSh+Ej995x/JQ7dD0TD6yHIRQVnMLBKmDsUAjwXEXAJvnKZfS0R",
	"AK8qRxIooeNBH8Y+ABgAGg/LTEMr6kuYBFifwQhoJHymukFYkf49AYqlqIvE3AiAF1rCnEoDB5L08mqzfKH+kQhQJspEFTE9zRyBkOHBje1BH6pgJsJnhYWU9CUsAmTm2QW7bYBFaoHS",
	"4tGjjmpD5QULXGCtb2lCeanFViAAV009wpP8FuPa13KtZPwcRyUAjL80sKxIri9hEoB1gPLOpr4zXkBQPLiOdhIWAx44muC1GSAwNVISyIx7+1HSI2R5LIgTe7gKAfDWB+vMsM2DElao",
	"ir3NmFJ9Vt8ZLyBoTiU7gBqqOKuhltS4JfIfdKNMZORsuxoXkEOAHqmMLCNmjvFkAhAGwTRDLutLWKEqL/ERv+oI9B2mRC2gIDncmjgLwpLKXnADJ0ANXCAy0kqa5+fShF1DGTU9jcBq",
	"m2auc2kjANLB1qkQcUzC3Ah6F/CO8w0CCE3OaMCLcmt4HiLMwsRsKZE2D4Pwm+KifhNeQ4vwqYscag4AXWKGdxmTGAkV99E3CCAaCzY0tLboiSgjAO7HWuMmCACjUQ2CnRTEce4QV18F",
	"WLtaEMuYxGcEqB44kwAmA8SDggOXEABPFGySRIWQAGAImLvJhfYB4L6HlM+LSGMSdyKAOMgvpEaGW48AMABTN7rpvh/oAI1J5gCfxiRuRYC9rpQxa+nCay0n/FhArOGf5wDoVGLqLh/b",
	"+AVjCVevcqsvcTcCvBobl0ZdbeHF/DpBgItWAWQi5zd5dPCdf2HLSlrlK2qMCeiGBECm4+UMz/AnCHDxPgA7iJtIA6zTwOoE2j6OvsRtCVB9jglQH/P7MX0CXLwTWBXNHwVIBGhF3FR6",
	"DSyWqzJ9idsQIBMTkeXMhSAp0Gtg/L/0LKDtuM0fBoqHv3wIYIdSr2bvx2BhVOI2BHh6F9qoTAFlVx+c/Og1MAJceRoI54Tp6wAiAawh4J0ch/A6RRci05dQHXkVAXZnpePEHy58j4fg",
	"PCqiA+k5Alx4HwD3+tkLQb3rH2yTlmFc4lYE4MidZkwR4MIbQXjynb0SKBOg1dpvUBiWuDkBIqmx2lJ+TBGAR/dLdwKp2slLwTIBhCFApWIjWk/i3gQoQyZdUq2f7AM8LrsVzBeFc58F",
	"KAQQhgBtkxx+UmNL3JoAbcrEPM4fbQRxb3zpuwBpnShtL+iQCQAMgrvZbKiiH0SZEnchQFj4kIvOVcjnkeX3JAEu+TJICrZEirMQYiqf1CnfzPUlboF640P82i6m40M89QPI8Vqs7/1m",
	"ZL/3baDD4XA4HA6Hw+FwOBwOh8PhcDgcDofjP8EfDA/PBDySWysAAAAASUVORK5CYII=",
].join("");

/** The place and size of the mark in the largest rendition. */
export type Watermark = Size & { readonly x: number; readonly y: number };

const even = (pixels: number): number => Math.floor(pixels / 2) * 2;

/**
 * Places a mark that can be read at every size: two thirds of the height wide, at least 200 pixels, but no wider than
 * the picture. It stands low in the middle, where the crop to the thumbnail's shape doesn't cut it.
 */
export function placeWatermark({ width, height }: Size): Watermark {
	const wide = even(Math.min(width, Math.max(200, Math.min(0.85 * width, 0.66 * height))));
	const high = Math.min(even(height), Math.max(2, even(wide / 8)));
	return {
		width: wide,
		height: high,
		x: even((width - wide) / 2),
		y: Math.max(0, Math.min(even(height - high), even(0.8 * height - high / 2))),
	};
}

/** The arguments that give ffmpeg the mark as an input, without a file. */
export const watermarkInput = [
	"-protocol_whitelist",
	"data",
	"-f",
	"png_pipe",
	"-i",
	`data:image/png;base64,${picture}`,
];

/**
 * Returns the filters that draw the mark: white letters on a dark veil, which can be read over any picture. `from` and
 * `to` are pads of the filter graph; `mark` is the pad of the mark's input.
 */
export const watermarkFilters = (
	{ width, height, x, y }: Watermark,
	pads: { from: string; mark: string; to: string },
): string[] => [
	`${pads.mark}format=gray,split[letters][veil]`,
	"[veil]lut=y='150+val*0.4'[opacity]",
	`[letters][opacity]alphamerge,scale=${width}:${height}:flags=area[mark]`,
	`${pads.from}[mark]overlay=x=${x}:y=${y}${pads.to}`,
];
