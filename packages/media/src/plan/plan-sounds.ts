import { mostSoundTracks } from "../source/streams.ts";
import type { SourceAudio, SourceProbe } from "../types.ts";
import type { Decision } from "./decision.ts";
import type { PlannedSound, SoundTrackReport } from "./encode-plan.ts";
import { audioBitrate, type Channels } from "./ladder.ts";
import { decideChannels, decideSilence, soundFilters } from "./sound-filters.ts";

/** Which sounds are made of a source, and what became of each of its tracks. */
export type PlannedSounds = {
	/** The first one plays by default. Those of 5.1 come last. */
	readonly sounds: readonly PlannedSound[];
	readonly tracks: readonly SoundTrackReport[];
};

type SoundOptions = {
	readonly durationSeconds: number;
	readonly earlier: number;
	/** Whether viewers can choose a sound. web.mp4 has the first one alone. */
	readonly isStreamed: boolean;
};

/** Says whether ffmpeg can mix a track's channels to 5.1. */
const isSurround = ({ channels, unmixable }: SourceAudio): boolean => channels >= 6 && unmixable === undefined;

/**
 * Plans the sounds of a source: each of its first tracks as mono or stereo, and those of 5.1 or more channels as 5.1 as
 * well. If nothing is streamed, only the track that plays by default is kept, as mono or stereo.
 */
export function planSounds(
	{ audio, furtherAudio }: Pick<SourceProbe, "audio" | "furtherAudio">,
	{ isStreamed, ...shown }: SoundOptions,
	decide: (decision: Decision) => void,
): PlannedSounds {
	if (audio === null) return { sounds: [], tracks: [] };
	const all = [audio, ...furtherAudio];
	const kept = all.slice(0, isStreamed ? mostSoundTracks : 1);
	const left = all.slice(kept.length);
	decideChannels(audio, decide);
	decideSilence(audio, shown, decide);
	if (kept.length > 1)
		decide({ about: "sound", decision: `${kept.length} tracks`, because: `the source has ${all.length}` });
	if (left.length > 0)
		decide({
			about: "sound",
			decision: `left out: ${left.map(named).join(", ")}`,
			because: isStreamed ? `a video has ${mostSoundTracks} tracks at most` : "web.mp4 has one track",
		});
	const make = (source: SourceAudio, name: string, channels: Channels): PlannedSound => ({
		name,
		index: source.index,
		channels,
		bitrate: audioBitrate[channels],
		// A lone track that is said to be English needn't be: many programs write that into whatever they make.
		language: all.length === 1 && source.language === "en" ? null : source.language,
		title: source.title,
		filters: soundFilters(source, channels, shown),
		hidesPriming: true,
	});
	const nameOf = (n: number) => (n === 0 ? "audio" : `audio_${n + 1}`);
	const plain = kept.map((source, n) => make(source, nameOf(n), source.channels === 1 ? 1 : 2));
	const surround = kept.flatMap((source, n) =>
		isStreamed && isSurround(source) ? [make(source, `${nameOf(n)}_5_1`, 6)] : [],
	);
	if (surround.length > 0)
		decide({ about: "channels", decision: "5.1 beside stereo", because: "the source has as many" });
	const sounds = [...plain, ...surround];
	const tracks = all.map(({ index, codec, channels, language, title }) => {
		const outputs = sounds.filter((sound) => sound.index === index).map(({ name }) => name);
		return { index, codec, channels, language, title, outputs };
	});
	return { sounds, tracks };
}

/** Names a track for people. */
function named({ index, title, language }: SourceAudio): string {
	const words = [title, language].filter((word) => word !== null).join(", ");
	return words === "" ? `stream ${index}` : `stream ${index} (${words})`;
}
