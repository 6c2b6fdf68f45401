import type { WarningCode } from "@reelmill/contracts/warnings";
import { changesOf } from "../plan/describe-changes.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { perSecond } from "../plan/frame-rate.ts";
import { lostSeconds, roundingSeconds } from "../source/declared-length.ts";
import { namedRate } from "../source/named-rates.ts";
import type { SourceProbe } from "../types.ts";

/** More uneven gaps than this make a rate variable. A recording may stumble now and then, which nobody sees. */
const fewUnevenGaps = 0.1;

/** Returns what a probe shows to be wrong with a source's file and its picture. */
export function sourceWarnings(probed: SourceProbe, { frameRate }: EncodePlan): WarningCode[] {
	const { length, video } = probed;
	const isVariable = video.unevenGaps > fewUnevenGaps;
	const isUsual = namedRate(perSecond(frameRate), 1e-6) !== null;
	return [
		...(lostSeconds(length) > roundingSeconds ? (["cut_off"] as const) : []),
		...(changesOf(probed).length > 0 ? (["changes_midway"] as const) : []),
		...(isVariable ? (["variable_rate"] as const) : []),
		...(isVariable || isUsual ? [] : (["odd_rate"] as const)),
		...(video.pixelShape === "guessed" ? (["wrong_aspect"] as const) : []),
	];
}
