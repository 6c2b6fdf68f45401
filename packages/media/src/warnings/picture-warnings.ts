import type { WarningCode } from "@reelmill/contracts/warnings";
import type { Sample } from "../stills/key-frames.ts";
import type { Bars } from "../stills/picture.ts";

/** A picture is black if no more than a hundredth of it is brighter than this, of 255. */
const black = 26;
/** It is very dark if no more than a hundredth of it is brighter than this. */
const veryDark = 56;
/** The share of the pictures that must be dark, or show the same bars. */
const nearlyAll = 0.9;
/** For how many seconds the video is black at the start before that is worth a warning. */
const blackSeconds = 1;
/** A bar is at least as wide as this share of the picture. Two that belong together are equally wide, to the other. */
const narrowestBar = 0.04;
const barTolerance = 0.015;

/** Returns what is wrong with a video's picture, by samples of it in the order of their times. */
export function pictureWarnings(samples: readonly Sample[]): WarningCode[] {
	const first = samples.findIndex(({ highlight }) => highlight > black);
	const lastBlack = samples[first - 1]?.seconds ?? 0;
	const isDark = samples.filter(({ highlight }) => highlight <= veryDark).length >= samples.length * nearlyAll;
	return [
		...(hasBars(samples) ? (["black_bars"] as const) : []),
		...(lastBlack >= blackSeconds ? (["black_at_start"] as const) : []),
		...(samples.length > 0 && isDark ? (["very_dark"] as const) : []),
	];
}

/** Says whether nearly all pictures that show something have the same two bars. */
function hasBars(samples: readonly Sample[]): boolean {
	const shown = samples.filter(({ highlight }) => highlight > veryDark);
	const isPair = (one: keyof Bars, other: keyof Bars): boolean => {
		const widths = shown.map(({ bars }) => Math.min(bars[one], bars[other])).sort((a, b) => a - b);
		const usual = widths[Math.floor(widths.length / 2)] ?? 0;
		const alike = shown.filter(
			({ bars }) =>
				Math.abs(bars[one] - usual) <= barTolerance &&
				Math.abs(bars[other] - usual) <= barTolerance &&
				Math.min(bars[one], bars[other]) >= narrowestBar,
		);
		return usual >= narrowestBar && alike.length >= shown.length * nearlyAll;
	};
	return isPair("left", "right") || isPair("top", "bottom");
}
