import { peakBandwidth } from "./bandwidth.ts";
import { targetSeconds } from "./hls.ts";
import type { ByteRange, Track } from "./track.ts";
import type { Rational } from "./types.ts";

const range = ({ offset, length }: ByteRange): string => `${offset}-${offset + length - 1}`;
const frames = ({ numerator, denominator }: Rational): string => (denominator === 1 ? String(numerator) : `${numerator}/${denominator}`);

function representation(track: Track, uri: string, attributes: string): string[] {
	const bandwidth = peakBandwidth(track, targetSeconds(track));
	return [
		`      <Representation id="${track.name}" codecs="${track.codecs}" bandwidth="${bandwidth}" ${attributes}>`,
		`        <BaseURL>${uri}</BaseURL>`,
		`        <SegmentBase indexRange="${range(track.index)}"><Initialization range="${range(track.initialisation)}"/></SegmentBase>`,
		"      </Representation>",
	];
}

/** An on-demand manifest over the same files as the playlists: one adaptation set a codec, one for the sound. `uri` gives a track's address as seen from the manifest. */
export function dashManifest(videos: readonly Track[], audio: Track | null, frameRate: Rational, uri: (track: Track) => string): string {
	const seconds = Math.max(...videos.map((video) => video.seconds));
	const codecs = [...new Set(videos.map((video) => video.codecs.slice(0, 4)))];
	const lines = [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT${seconds.toFixed(3)}S" minBufferTime="PT2S">`,
		"  <Period>",
	];
	for (const codec of codecs) {
		lines.push('    <AdaptationSet contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1">');
		for (const video of videos.filter((track) => track.codecs.startsWith(codec))) {
			lines.push(...representation(video, uri(video), `width="${video.width}" height="${video.height}" frameRate="${frames(frameRate)}" sar="1:1"`));
		}
		lines.push("    </AdaptationSet>");
	}
	if (audio !== null) {
		lines.push('    <AdaptationSet contentType="audio" mimeType="audio/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1">');
		lines.push(...representation(audio, uri(audio), `audioSamplingRate="${audio.sampleRate}"`), "    </AdaptationSet>");
	}
	return `${[...lines, "  </Period>", "</MPD>"].join("\n")}\n`;
}
