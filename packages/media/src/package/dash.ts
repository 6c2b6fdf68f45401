import { type ByteRange, longestSegment, type Track } from "../mp4/track.ts";
import type { Rational } from "../types.ts";
import { peakBandwidth } from "./bandwidth.ts";
import { targetSeconds } from "./hls.ts";

/** ISO/IEC 23003-3 numbers channel layouts. The numbers of mono and stereo are 1 and 2, as many as their channels. */
const channelScheme = "urn:mpeg:dash:23003:3:audio_channel_configuration:2011";

const range = ({ offset, length }: ByteRange): string => `${offset}-${offset + length - 1}`;
const frames = ({ numerator, denominator }: Rational): string =>
	denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;

type Presented = {
	readonly uri: string;
	readonly bandwidth: number;
	readonly attributes: string;
	readonly descriptors?: readonly string[];
};

function representation(track: Track, { uri, bandwidth, attributes, descriptors = [] }: Presented): string[] {
	return [
		`      <Representation id="${track.name}" codecs="${track.codecs}" bandwidth="${bandwidth}" ${attributes}>`,
		...descriptors.map((descriptor) => `        ${descriptor}`),
		`        <BaseURL>${uri}</BaseURL>`,
		`        <SegmentBase indexRange="${range(track.index)}"><Initialization range="${range(track.initialisation)}"/></SegmentBase>`,
		"      </Representation>",
	];
}

/**
 * Returns an on-demand manifest over the same files as the playlists, with one adaptation set for each codec and one
 * for the sound. `uri` returns a track's address as seen from the manifest.
 */
export function dashManifest(
	videos: readonly Track[],
	audio: Track | null,
	frameRate: Rational,
	uri: (track: Track) => string,
): string {
	const tracks = audio === null ? videos : [...videos, audio];
	const seconds = Math.max(...videos.map((video) => video.seconds));
	// A player that has buffered a whole segment plays on at `bandwidth`.
	const buffered = Math.ceil(longestSegment(tracks) * 1000) / 1000;
	const presented = (track: Track) => ({ uri: uri(track), bandwidth: peakBandwidth(track, targetSeconds(tracks)) });
	const codecs = [...new Set(videos.map((video) => video.codecs.slice(0, 4)))];
	const lines = [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT${seconds.toFixed(3)}S" minBufferTime="PT${buffered}S">`,
		"  <Period>",
	];
	for (const codec of codecs) {
		lines.push(
			'    <AdaptationSet contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1">',
		);
		for (const video of videos.filter((track) => track.codecs.startsWith(codec))) {
			const attributes = `width="${video.width}" height="${video.height}" frameRate="${frames(frameRate)}" sar="1:1"`;
			lines.push(...representation(video, { ...presented(video), attributes }));
		}
		lines.push("    </AdaptationSet>");
	}
	if (audio !== null) {
		lines.push(
			'    <AdaptationSet contentType="audio" mimeType="audio/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1">',
		);
		const descriptors = [`<AudioChannelConfiguration schemeIdUri="${channelScheme}" value="${audio.channels}"/>`];
		lines.push(
			...representation(audio, {
				...presented(audio),
				attributes: `audioSamplingRate="${audio.sampleRate}"`,
				descriptors,
			}),
			"    </AdaptationSet>",
		);
	}
	return `${[...lines, "  </Period>", "</MPD>"].join("\n")}\n`;
}
