import type { EncodePlan, PlannedRendition } from "../plan/encode-plan.ts";
import type { Run } from "../run/programs.ts";
import type { Hardware, Logger } from "../types.ts";
import type { DamageMeter } from "./damage-meter.ts";
import type { TrackPaths } from "./encode-arguments.ts";
import type { EncodeMeter } from "./encode-meter.ts";
import type { SoundMeter } from "./sound-meter.ts";

/**
 * What every step of an encode needs. A step that only makes a part, or that is stopped apart from the others, gets a
 * copy with a plan or a signal of its own.
 */
export type Encode = Run & {
	/** Absolute path of the source. */
	readonly source: string;
	readonly plan: EncodePlan;
	/** Where the encoders write their tracks. */
	readonly paths: TrackPaths;
	/** Absolute path of the folder that takes the outputs. */
	readonly directory: string;
	readonly logger?: Logger | undefined;
	/** Encodes what it can, if the source is not cut (default: software encodes all). */
	readonly hardware?: Hardware | undefined;
	/** Takes what is measured of the sound while it is encoded (default: it isn't measured). */
	readonly soundMeter?: SoundMeter | undefined;
	/** Notes which renditions were encoded together, from when to when (default: nothing does). */
	readonly encodeMeter?: EncodeMeter | undefined;
	/** Counts what can't be decoded (default: nothing does). */
	readonly damageMeter?: DamageMeter | undefined;
};

const withPlan = (encode: Encode, part: Partial<EncodePlan>): Encode => ({
	...encode,
	plan: { ...encode.plan, ...part },
});

/** Limits an encode to some of its renditions, with the sounds. */
export const onlyRenditions = (encode: Encode, renditions: readonly PlannedRendition[]): Encode =>
	withPlan(encode, { renditions });

/** Limits an encode to the renditions. */
export const onlyPictures = (encode: Encode): Encode => withPlan(encode, { sounds: [] });

/** Limits an encode to the sound. */
export const onlySound = (encode: Encode): Encode => withPlan(encode, { renditions: [] });
