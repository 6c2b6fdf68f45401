import type { WarningCode } from "@reelmill/contracts/warnings";
import type { MeasuredSound } from "../encode/sound-meter.ts";
import { mostSoundTracks } from "../source/streams.ts";
import type { SourceProbe } from "../types.ts";

/** Sound whose highest peak is below this is silence, in decibels below full scale: nobody hears it. */
const quietestPeak = -60;
/** Peaks this near to full scale are at it, in decibels. */
const fullScale = -0.01;
/** The share of the samples that are at full scale, how flat they are, and how often they come, if sound is clipped. */
const clippedShare = 0.0005;
const clippedFlatness = 3;
const clippedRises = 3;

/** Says whether peaks are cut off. A loud sound touches full scale now and then; a clipped one stays there. */
const isClipped = ({ peak, samples, atPeak, flatness, rises }: MeasuredSound): boolean =>
	peak >= fullScale && atPeak >= samples * clippedShare && flatness >= clippedFlatness && rises >= clippedRises;

/** Returns what is wrong with a source's sound. `measured` is `null` if it could not be measured. */
export function soundWarnings({ audio, furtherAudio }: SourceProbe, measured: MeasuredSound | null): WarningCode[] {
	if (audio === null) return ["no_sound"];
	const left = furtherAudio.length >= mostSoundTracks ? (["tracks_left_out"] as const) : [];
	if (measured === null) return [...left];
	if (measured.peak < quietestPeak) return ["silent", ...left];
	return [...(isClipped(measured) ? (["sound_clipped"] as const) : []), ...left];
}
