import { type WarningCode, warnings } from "@reelmill/contracts/warnings";
import type { MeasuredSound } from "../encode/sound-meter.ts";
import { changesOf } from "../plan/describe-changes.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { Sample } from "../stills/key-frames.ts";
import type { SourceProbe } from "../types.ts";
import { pictureWarnings } from "./picture-warnings.ts";
import { soundWarnings } from "./sound-warnings.ts";
import { sourceWarnings } from "./source-warnings.ts";

/** What is known of a source after its encode. */
type KnownSource = {
	readonly probed: SourceProbe;
	readonly plan: EncodePlan;
	/** `null` if there is no sound, or if it could not be measured. */
	readonly sound: MeasuredSound | null;
	/** What of it is damaged inside, in words; `null` for nothing. */
	readonly damage: string | null;
	/** Pictures of the video in the order of their times; none if no picture was needed. */
	readonly samples: readonly Sample[];
};

/** Returns the codes of what a tenant should know of a source, in the order of the contract's table. */
export function warningsOf({ probed, plan, sound, damage, samples }: KnownSource): WarningCode[] {
	const found: readonly WarningCode[] = [
		...(damage === null ? [] : (["damaged"] as const)),
		...sourceWarnings(probed, plan),
		...soundWarnings(probed, sound),
		...pictureWarnings(samples),
	];
	return (Object.keys(warnings) as WarningCode[]).filter((code) => found.includes(code));
}

/** Says more of some warnings than their sentences do, by their codes. */
export function warningDetails({
	probed,
	damage,
}: Pick<KnownSource, "probed" | "damage">): Partial<Record<WarningCode, string>> {
	const changes = changesOf(probed);
	return {
		...(damage === null ? {} : { damaged: sentence(damage) }),
		...(changes.length === 0 ? {} : { changes_midway: sentence(changes.join("; ")) }),
	};
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
