import type { SourceAudio } from "../types.ts";
import type { Decision } from "./decision.ts";
import { audioSampleRate } from "./ladder.ts";

/** The encoder puts so many of its own in front of the sound. */
export const primingSamples = 1024;

/** Whether anything of a sound so short is left when the encoder has put its own samples in front. */
export const isAudible = (durationSeconds: number): boolean => durationSeconds * audioSampleRate > primingSamples;

/** Of a sphere, all that is heard with more of its left, and of its right. */
const stereoOf = { ambisonic: "pan=stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0-0.5*c1", unknown: "pan=stereo|c0=c0|c1=c1" };

/**
 * Stereo that starts with the picture and lasts exactly as long. CMAF has no edit list to hide the encoder's own
 * samples: so many are cut, and the sound stays in step.
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
