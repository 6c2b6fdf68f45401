import type { SourceAudio } from "../types.ts";
import type { Decision } from "./decision.ts";
import { audioLayout, audioSampleRate, type Channels } from "./ladder.ts";

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
 * Limits the true peak to -1 dBTP. A sound that stays below is not changed. The peak between two samples is seen at
 * four times the rate, as ITU-R BS.1770 measures it.
 */
export const limiter: readonly string[] = [
	`aresample=${4 * audioSampleRate}`,
	"alimiter=limit=0.891:level=0:attack=1:release=50:latency=1",
	`aresample=${audioSampleRate}`,
];

/** Says what happens to a track's channels if they don't stay as they are. */
export function decideChannels({ channels, unmixable }: SourceAudio, decide: (decision: Decision) => void): void {
	if (unmixable === "unknown")
		decide({
			about: "channels",
			decision: "the first two",
			because: `the source has ${channels}, and doesn't say of what`,
		});
	else if (channels > 2)
		decide({ about: "channels", decision: "stereo", because: `the source has ${channels} channels` });
}

type Shown = {
	/** How long the picture is shown. */
	readonly durationSeconds: number;
	/** How many seconds behind the source's zero picture and sound begin (default: 0). */
	readonly earlier?: number;
};

/** Says where silence is added to a track. */
export function decideSilence(
	{ startSeconds, endSeconds }: SourceAudio,
	{ durationSeconds, earlier = 0 }: Shown,
	decide: (decision: Decision) => void,
): void {
	const silence = (seconds: number, where: string, because: string) => {
		if (seconds > 0.1) decide({ about: "sound", decision: `silence of ${seconds.toFixed(2)} s ${where} it`, because });
	};
	silence(startSeconds - earlier, "before", "the source's begins later than the picture");
	silence(durationSeconds + earlier - endSeconds, "after", "the source's ends before the picture");
}

/** Returns the filters that make sound of these channels which starts with the picture and lasts exactly as long. */
export function soundFilters(
	{ unmixable }: SourceAudio,
	channels: Channels,
	{ durationSeconds, earlier = 0 }: Shown,
): string[] {
	const first = Math.round(earlier * audioSampleRate);
	return [
		...(unmixable === undefined ? [] : [stereoOf[unmixable]]),
		`aresample=${audioSampleRate}:async=1:first_pts=${first}`,
		...(first === 0 ? [] : [`asetpts=PTS-${first}`]),
		`aformat=sample_fmts=fltp:channel_layouts=${audioLayout[channels]}`,
		...limiter,
		`apad=whole_dur=${durationSeconds}`,
		`atrim=end=${durationSeconds}`,
	];
}
