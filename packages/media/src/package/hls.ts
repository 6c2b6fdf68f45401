import { type ByteRange, longestSegment, type Track } from "../mp4/track.ts";
import { averageBandwidth, peakBandwidth } from "./bandwidth.ts";

const range = ({ offset, length }: ByteRange): string => `${length}@${offset}`;

/**
 * Returns EXT-X-TARGETDURATION: no segment is longer when rounded. Tracks that are played together have the same (RFC
 * 8216, section 6.2.4).
 */
export const targetSeconds = (tracks: readonly Track[]): number => Math.max(1, Math.round(longestSegment(tracks)));

/** Returns a media playlist over the byte ranges of one file. `uri` is the file's address as seen from the playlist. */
export function mediaPlaylist(track: Track, uri: string, target: number): string {
	const lines = [
		...[
			"#EXTM3U",
			"#EXT-X-VERSION:7",
			`#EXT-X-TARGETDURATION:${target}`,
			"#EXT-X-MEDIA-SEQUENCE:0",
			"#EXT-X-PLAYLIST-TYPE:VOD",
		],
		...["#EXT-X-INDEPENDENT-SEGMENTS", `#EXT-X-MAP:URI="${uri}",BYTERANGE="${range(track.initialisation)}"`],
	];
	for (const segment of track.segments)
		lines.push(`#EXTINF:${segment.seconds.toFixed(6)},`, `#EXT-X-BYTERANGE:${range(segment)}`, uri);
	return `${[...lines, "#EXT-X-ENDLIST"].join("\n")}\n`;
}

/** Captions of the whole video in one WebVTT file. `language` is ISO 639-1; `null` if it isn't known. */
export type Captions = { readonly language: string | null };

/**
 * Returns a media playlist of one segment: the whole WebVTT file (RFC 8216, section 3.5). Its times count from zero as
 * the tracks' do, so it needs no X-TIMESTAMP-MAP.
 */
export function captionsPlaylist(seconds: number, uri: string): string {
	const lines = [
		"#EXTM3U",
		"#EXT-X-VERSION:7",
		`#EXT-X-TARGETDURATION:${Math.max(1, Math.round(seconds))}`,
		"#EXT-X-MEDIA-SEQUENCE:0",
		"#EXT-X-PLAYLIST-TYPE:VOD",
	];
	return `${[...lines, `#EXTINF:${seconds.toFixed(6)},`, uri, "#EXT-X-ENDLIST"].join("\n")}\n`;
}

function captionsGroup({ language }: Captions): string {
	const name = (language !== null && new Intl.DisplayNames(["en"], { type: "language" }).of(language)) || "Captions";
	const attributes = [
		`TYPE=SUBTITLES,GROUP-ID="captions",NAME="${name}",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO`,
		...(language === null ? [] : [`LANGUAGE="${language}"`]),
		'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog",URI="captions.m3u8"',
	];
	return `#EXT-X-MEDIA:${attributes.join(",")}`;
}

/**
 * Returns the master playlist. The variants are in the order of `videos`: H.264 first, since it plays everywhere. The
 * sound is one group for all variants.
 */
export function masterPlaylist(
	videos: readonly Track[],
	audio: Track | null,
	framesPerSecond: number,
	captions: Captions | null = null,
): string {
	const lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"];
	if (audio !== null) {
		const attributes = [
			`TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="${audio.channels}"`,
			`URI="${audio.name}.m3u8"`,
		];
		lines.push(`#EXT-X-MEDIA:${attributes.join(",")}`);
	}
	if (captions !== null) lines.push(captionsGroup(captions));
	const target = targetSeconds(audio === null ? videos : [...videos, audio]);
	for (const video of videos) {
		const tracks = audio === null ? [video] : [video, audio];
		const sum = (measure: (track: Track) => number) => tracks.reduce((total, track) => total + measure(track), 0);
		const attributes = [
			`BANDWIDTH=${sum((track) => peakBandwidth(track, target))}`,
			`AVERAGE-BANDWIDTH=${sum(averageBandwidth)}`,
			`CODECS="${tracks.map((track) => track.codecs).join(",")}"`,
			`RESOLUTION=${video.width}x${video.height}`,
			`FRAME-RATE=${framesPerSecond.toFixed(3)}`,
			"VIDEO-RANGE=SDR",
			...(audio === null ? [] : ['AUDIO="audio"']),
			...(captions === null ? [] : ['SUBTITLES="captions"']),
		];
		lines.push(`#EXT-X-STREAM-INF:${attributes.join(",")}`, `${video.name}.m3u8`);
	}
	return `${lines.join("\n")}\n`;
}
