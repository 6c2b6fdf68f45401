import { captionsTags, chaptersTag } from "@reelmill/contracts/captions";
import { type ByteRange, longestSegment, type Segment, type Track } from "../mp4/track.ts";
import type { SoundKind } from "../types.ts";
import { averageBandwidth, peakBandwidth } from "./bandwidth.ts";
import type { CaptionTrack } from "./caption-track.ts";
import {
	groupSounds,
	type HeardTrack,
	heardLanguage,
	type NamedSound,
	nameSounds,
	type SoundGroup,
} from "./name-sounds.ts";

const range = ({ offset, length }: ByteRange): string => `${length}@${offset}`;

/**
 * Returns EXT-X-TARGETDURATION: no segment is longer when rounded. Tracks that are played together have the same (RFC
 * 8216, section 6.2.4).
 */
export const targetSeconds = (tracks: readonly Track[]): number => Math.max(1, Math.round(longestSegment(tracks)));

/** What a media playlist lists: all pictures or all sound of a track, or the track's key frames alone. */
type Listed = { readonly keyFrames: boolean };

/** Returns a media playlist over the byte ranges of one file. `uri` is the file's address as seen from the playlist. */
export function mediaPlaylist(
	track: Track,
	uri: string,
	target: number,
	{ keyFrames }: Listed = { keyFrames: false },
): string {
	const lines = [
		...[
			"#EXTM3U",
			"#EXT-X-VERSION:7",
			`#EXT-X-TARGETDURATION:${target}`,
			"#EXT-X-MEDIA-SEQUENCE:0",
			"#EXT-X-PLAYLIST-TYPE:VOD",
		],
		...(keyFrames ? ["#EXT-X-I-FRAMES-ONLY"] : []),
		"#EXT-X-INDEPENDENT-SEGMENTS",
	];
	const segments = keyFrames ? track.segments : withoutShortEnd(track.segments, target);
	return `${[...lines, ...listed({ ...track, segments }, uri), "#EXT-X-ENDLIST"].join("\n")}\n`;
}

/** hls.js waits without end for a last segment of a few milliseconds of sound, and never says that the video ended. */
const shortestEndSeconds = 0.1;

/** Joins a very short last segment to the one before it, if that makes none too long for the target duration. */
function withoutShortEnd(segments: readonly Segment[], target: number): readonly Segment[] {
	const [before, last] = segments.slice(-2);
	if (before === undefined || last === undefined || last.seconds >= shortestEndSeconds) return segments;
	const joined = { ...before, length: before.length + last.length, seconds: before.seconds + last.seconds };
	return Math.round(joined.seconds) > target ? segments : [...segments.slice(0, -2), joined];
}

/** Lists the segments of one file, and where their initialisation lies in it. */
const listed = ({ initialisation, segments }: ListedSegments, uri: string): string[] => [
	`#EXT-X-MAP:URI="${uri}",BYTERANGE="${range(initialisation)}"`,
	...segments.flatMap((segment) => [
		`#EXTINF:${segment.seconds.toFixed(6)},`,
		`#EXT-X-BYTERANGE:${range(segment)}`,
		uri,
	]),
];

type ListedSegments = Pick<Track, "initialisation" | "segments">;

/** Segments of one file. `uri` is its address as seen from the playlist. */
export type ListedFile = ListedSegments & { readonly uri: string };

/**
 * Returns a media playlist that grows once. Without `rest` it lists the opening and has no end: players ask for it
 * again. With `rest` it has the very same lines, the rest of the track, which may have no segments, and its end.
 * Players begin at its beginning, not at its present end. The rest continues the opening's encode and time, so there is
 * no discontinuity.
 */
export function growingPlaylist(opening: ListedFile, rest: ListedFile | null, target: number): string {
	const lines = [
		"#EXTM3U",
		"#EXT-X-VERSION:7",
		`#EXT-X-TARGETDURATION:${target}`,
		"#EXT-X-MEDIA-SEQUENCE:0",
		"#EXT-X-PLAYLIST-TYPE:EVENT",
		"#EXT-X-INDEPENDENT-SEGMENTS",
		"#EXT-X-START:TIME-OFFSET=0",
		...listed(opening, opening.uri),
		...(rest === null || rest.segments.length === 0
			? []
			: listed({ ...rest, segments: withoutShortEnd(rest.segments, target) }, rest.uri)),
		...(rest === null ? [] : ["#EXT-X-ENDLIST"]),
	];
	return `${lines.join("\n")}\n`;
}

/** The tag of a language that isn't known (RFC 5646). Apple's rule 8.10 wants a language of each rendition. */
const undetermined = "und";

/** Returns NAME and LANGUAGE. The name is in the language itself, as RFC 8216 has it (section 4.3.4.1). */
const named = (name: string, language: string | null): string =>
	`NAME="${name}",LANGUAGE="${language ?? undetermined}"`;

/** What Apple's players know a kind of sound by (AVMediaCharacteristic). */
const soundCharacteristics: Partial<Record<SoundKind, string>> = {
	description: "public.accessibility.describes-video",
	clear_speech: "public.accessibility.enhances-speech-intelligibility",
	commentary: "public.auxiliary-content",
};

function soundOf(group: SoundGroup, { track, channels, kind, ...sound }: NamedSound): string {
	const chosen = `DEFAULT=${sound.isDefault ? "YES" : "NO"},AUTOSELECT=${sound.isAutomatic ? "YES" : "NO"}`;
	const characteristic = kind && soundCharacteristics[kind];
	const attributes = [
		`TYPE=AUDIO,GROUP-ID="${group.id}",${named(sound.name, sound.language)},${chosen}`,
		...(characteristic === undefined ? [] : [`CHARACTERISTICS="${characteristic}"`]),
		`CHANNELS="${channels}",URI="${track.name}.m3u8"`,
	];
	return `#EXT-X-MEDIA:${attributes.join(",")}`;
}

/** Returns the name of the playlist of a track's key frames, without its ending. */
export const keyFramesName = ({ name }: Track): string => `${name}_iframes`;

/** What a master playlist leads to beside the variants and their sounds. */
type Beside = {
	/** The variants as their key frames alone, for players that scrub and wind (default: none). */
	readonly keyFrames?: readonly Track[];
	/** Default: none. */
	readonly captions?: readonly CaptionTrack[];
	/** The address of the chapters for Apple's players (default: none). */
	readonly chapters?: string;
};

/**
 * Returns the master playlist. The variants are in the order of `videos`: H.264 first, since it plays everywhere. If
 * there is sound of 5.1, they come a second time with that. The last one is the sound alone that plays by default, for
 * a line that carries no picture. The language of that sound is that of captions which were heard in it. No picture
 * has captions in its packets.
 */
export function masterPlaylist(
	videos: readonly Track[],
	sounds: readonly HeardTrack[],
	framesPerSecond: number,
	{ keyFrames = [], captions = [], chapters }: Beside = {},
): string {
	const lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"];
	if (chapters !== undefined) lines.push(chaptersTag(chapters));
	const named = nameSounds(sounds, heardLanguage(captions));
	const groups = groupSounds(named);
	for (const group of groups) lines.push(...group.sounds.map((sound) => soundOf(group, sound)));
	lines.push(...captionsTags(captions));
	const target = targetSeconds([...videos, ...named.map(({ track }) => track)]);
	const variant = (video: Track | null, group: SoundGroup | undefined, picture: readonly string[], uri: string) => {
		const heard = group?.sounds.map(({ track }) => track) ?? [];
		/** A viewer may choose the sound of the most bits. */
		const most = (measure: (track: Track) => number) =>
			(video === null ? 0 : measure(video)) + Math.max(0, ...heard.map(measure));
		const codecs = new Set([...(video === null ? [] : [video]), ...heard].map((track) => track.codecs));
		const attributes = [
			`BANDWIDTH=${most((track) => peakBandwidth(track, target))}`,
			`AVERAGE-BANDWIDTH=${most(averageBandwidth)}`,
			`CODECS="${[...codecs].join(",")}"`,
			...picture,
			...(group === undefined ? [] : [`AUDIO="${group.id}"`]),
			...(captions.length === 0 ? [] : ['SUBTITLES="captions"']),
			"CLOSED-CAPTIONS=NONE",
		];
		return [`#EXT-X-STREAM-INF:${attributes.join(",")}`, uri];
	};
	for (const group of groups.length === 0 ? [undefined] : groups)
		for (const video of videos) {
			const size = `RESOLUTION=${video.width}x${video.height}`;
			const picture = [size, `FRAME-RATE=${framesPerSecond.toFixed(3)}`, "VIDEO-RANGE=SDR"];
			lines.push(...variant(video, group, picture, `${video.name}.m3u8`));
		}
	const [plain] = groups;
	if (plain !== undefined && videos.length > 0)
		lines.push(...variant(null, plain, [], `${plain.sounds[0]?.track.name}.m3u8`));
	for (const track of keyFrames) lines.push(keyFramesVariant(track, target));
	return `${lines.join("\n")}\n`;
}

function keyFramesVariant(track: Track, target: number): string {
	const attributes = [
		`BANDWIDTH=${peakBandwidth(track, target)}`,
		`AVERAGE-BANDWIDTH=${averageBandwidth(track)}`,
		`CODECS="${track.codecs}"`,
		`RESOLUTION=${track.width}x${track.height}`,
		"VIDEO-RANGE=SDR",
		`URI="${keyFramesName(track)}.m3u8"`,
	];
	return `#EXT-X-I-FRAME-STREAM-INF:${attributes.join(",")}`;
}
