import type { EncodePlan } from "../plan/encode-plan.ts";
import type { Run } from "../run/programs.ts";
import type { Codec, Logger } from "../types.ts";
import type { TrackPaths } from "./encode-arguments.ts";

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
};

const withPlan = (encode: Encode, part: Partial<EncodePlan>): Encode => ({
	...encode,
	plan: { ...encode.plan, ...part },
});

/** Limits an encode to the renditions of one codec. The sound goes with H.264. */
export const onlyCodec = (encode: Encode, codec: Codec): Encode =>
	withPlan(encode, {
		renditions: encode.plan.renditions.filter((rendition) => rendition.codec === codec),
		sound: codec === "h264" ? encode.plan.sound : null,
	});

/** Limits an encode to the renditions. */
export const onlyPictures = (encode: Encode): Encode => withPlan(encode, { sound: null });

/** Limits an encode to the sound. */
export const onlySound = (encode: Encode): Encode => withPlan(encode, { renditions: [] });
