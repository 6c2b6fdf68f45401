import type { SourceAudio } from "../types.ts";
import type { Decision } from "./decision.ts";
import { audioSampleRate } from "./ladder.ts";

/** How many samples the encoder puts in front of the sound. */
export const primingSamples = 1024;

/** Says whether a sound is longer than the samples that the encoder puts in front of it. */
export const isAudible = (durationSeconds: number): boolean => durationSeconds * audioSampleRate > primingSamples;

/**
 * The filters for channels that ffmpeg can't mix to stereo. A sphere's (ambisonic) left has more of what is on the
 * left.
 */
const stereoOf = { ambisonic: "pan=stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0-0.5*c1", unknown: "pan=stereo|c0=c0|c1=c1" };

/**
 * Returns the filters that make stereo which starts with the picture and lasts exactly as long. CMAF has no edit list
 * that could hide the samples of the encoder, so as many are cut and the sound stays in step.
 */
export function soundFilters(
	audio: SourceAudio,
	durationSeconds: number,
	decide: (decision: Decision) => void,
): string[] {
	const { channels, unmixable, startSeconds, endSeconds } = audio;
	if (unmixable === "unknown")
		decide({
			about: "channels",
			decision: "the first two",
			because: `the source has ${channels}, and doesn't say of what`,
		});
	else if (channels !== 2)
		decide({
			about: "channels",
			decision: "stereo",
			because: `the source has ${channels === 1 ? "one channel" : `${channels} channels`}`,
		});
	const silence = (seconds: number, where: string, because: string) => {
		if (seconds > 0.1) decide({ about: "sound", decision: `silence of ${seconds.toFixed(2)} s ${where} it`, because });
	};
	silence(startSeconds, "before", "the source's begins later than the picture");
	silence(durationSeconds - endSeconds, "after", "the source's ends before the picture");
	return [
		...(unmixable === undefined ? [] : [stereoOf[unmixable]]),
		`aresample=${audioSampleRate}:async=1:first_pts=0`,
		"aformat=sample_fmts=fltp:channel_layouts=stereo",
		`apad=whole_dur=${durationSeconds}`,
		`atrim=start_sample=${primingSamples}:end=${durationSeconds}`,
	];
}
