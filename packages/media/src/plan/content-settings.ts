import type { Codec, ContentKind, Speed } from "../types.ts";
import type { EncoderSetting } from "./ladder.ts";

/** What a report says of the settings for each kind of content that has some of its own. */
export const contentDecisions: Readonly<Record<Exclude<ContentKind, "filmed">, string>> = {
	screen: "encoded as a screen: AV1 is coarser, and has its tools for screens unless the job asks for speed",
	noise: "encoded as noise: both codecs are coarser, since no encoder keeps noise at these rates",
};

/** How much coarser than what was filmed each kind is encoded, in steps of CRF. */
const coarser: Readonly<Record<ContentKind, (codec: Codec, speed: Speed) => number>> = {
	filmed: () => 0,
	screen: (codec, speed) => (codec === "h264" ? 0 : { balanced: 17, fast: 10 }[speed]),
	noise: (codec) => (codec === "av1" ? 16 : 4),
};

/** How an encoder is set for one source. */
export type ContentSetting = EncoderSetting & { readonly screenTools?: true };

/** Returns a rung's setting for what the source shows. docs/measurements/encoding.md has the measurements. */
export function contentSetting(
	{ preset, crf }: EncoderSetting,
	{ codec, kind, speed }: { readonly codec: Codec; readonly kind: ContentKind; readonly speed: Speed },
): ContentSetting {
	const usesTools = kind === "screen" && codec === "av1" && speed === "balanced";
	return { preset, crf: crf + coarser[kind](codec, speed), ...(usesTools && { screenTools: true }) };
}
