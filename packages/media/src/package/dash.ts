import { captionsSets, type CaptionsFile as ListedFile } from "@reelmill/contracts/captions";
import { type ByteRange, longestSegment, type Track } from "../mp4/track.ts";
import type { Storyboard } from "../stills/storyboard.ts";
import type { Rational, SoundKind } from "../types.ts";
import { peakBandwidth } from "./bandwidth.ts";
import type { CaptionTrack } from "./caption-track.ts";
import { targetSeconds } from "./hls.ts";
import { type HeardTrack, heardLanguage, type NamedSound, nameSounds } from "./name-sounds.ts";

/** ISO/IEC 23003-3 numbers channel layouts. The numbers of mono, stereo and 5.1 are as many as their channels. */
const channelScheme = "urn:mpeg:dash:23003:3:audio_channel_configuration:2011";

/** Names the adaptation sets that a player may change to at any segment: ISO/IEC 23009-1, section 5.3.3.5. */
const switchingScheme = "urn:mpeg:dash:adaptation-set-switching:2016";

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

/** A WebVTT file of captions, as seen from the manifest. */
export type CaptionsFile = ListedFile & CaptionTrack;

const language = (tag: string | null): string => (tag === null ? "" : ` lang="${tag}"`);
const role = (value: string): string => `      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="${value}"/>`;

/** The purposes of sound that DVB numbers, for people who see or hear badly. */
const purposeScheme = "urn:tva:metadata:cs:AudioPurposeCS:2007";
/** What players know a kind of sound by: a role of ISO/IEC 23009-1, section 5.8.5.5, and a purpose of DVB. */
const descriptorsOf: Partial<Record<SoundKind, { readonly role: string; readonly purpose?: number }>> = {
	description: { role: "description", purpose: 1 },
	clear_speech: { role: "enhanced-audio-intelligibility", purpose: 2 },
	commentary: { role: "commentary" },
};

/** Returns the descriptors of what a sound is for, in the order of the schema. */
function kindDescriptors({ kind, isDefault }: NamedSound, isOneOf: boolean): string[] {
	const known = kind && descriptorsOf[kind];
	const usual = isDefault ? "main" : "alternate";
	const roles = [...(isOneOf && (isDefault || !known) ? [usual] : []), ...(known ? [known.role] : [])];
	const purpose = known?.purpose;
	return [
		...(purpose === undefined ? [] : [`      <Accessibility schemeIdUri="${purposeScheme}" value="${purpose}"/>`]),
		...roles.map(role),
	];
}

/**
 * Returns the adaptation set of a sound, which viewers choose by its label. With `isOneOf` there are several: players
 * begin with the stereo of the one that plays by default.
 */
function soundSet(sound: NamedSound, isOneOf: boolean, presented: Pick<Presented, "uri" | "bandwidth">): string[] {
	const { track, channels } = sound;
	const isFirst = sound.isDefault && channels <= 2;
	const priority = isOneOf ? ` selectionPriority="${isFirst ? 2 : 1}"` : "";
	const label = isOneOf ? sound.name : sound.title;
	const descriptors = [`<AudioChannelConfiguration schemeIdUri="${channelScheme}" value="${channels}"/>`];
	return [
		`    <AdaptationSet contentType="audio" mimeType="audio/mp4"${language(sound.language)}${priority} subsegmentAlignment="true" subsegmentStartsWithSAP="1">`,
		...(label === null ? [] : [`      <Label>${label}</Label>`]),
		...kindDescriptors(sound, isOneOf),
		...representation(track, { ...presented, attributes: `audioSamplingRate="${track.sampleRate}"`, descriptors }),
		"    </AdaptationSet>",
	];
}

/** The one sheet of a video's storyboard, as seen from the manifest with the number of the sheet. */
export type StoryboardFile = Pick<Storyboard, "tile" | "columns" | "rows"> & {
	readonly uri: string;
	readonly bytes: number;
	/** How many frames of the video each picture stands for. */
	readonly framesPerTile: number;
};

/** Returns the sheet as an image adaptation set: tiles of thumbnail images, DASH-IF IOP 4.3. */
function storyboardSet({ tile, columns, rows, ...sheet }: StoryboardFile, frameRate: Rational): string[] {
	const [timescale, duration] = [frameRate.numerator, frameRate.denominator * sheet.framesPerTile * columns * rows];
	const size = `width="${tile.width * columns}" height="${tile.height * rows}"`;
	const bandwidth = Math.ceil((sheet.bytes * 8 * timescale) / duration);
	return [
		'    <AdaptationSet contentType="image" mimeType="image/jpeg">',
		`      <SegmentTemplate media="${sheet.uri}" timescale="${timescale}" duration="${duration}" startNumber="1"/>`,
		`      <Representation id="storyboard" bandwidth="${bandwidth}" ${size}>`,
		`        <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="${columns}x${rows}"/>`,
		"      </Representation>",
		"    </AdaptationSet>",
	];
}

/** What a manifest leads to beside the tracks. */
type Beside = {
	/** Default: none. */
	readonly captions?: readonly CaptionsFile[];
	/** Default: none. */
	readonly storyboard?: StoryboardFile | null;
};

/**
 * Returns an on-demand manifest over the same files as the playlists, with one adaptation set for each codec and one
 * for each sound. A player may change between the codecs. `uri` returns a track's address as seen from the manifest.
 * The language of the sound that plays by default is that of captions which were heard in it.
 */
export function dashManifest(
	videos: readonly Track[],
	sounds: readonly HeardTrack[],
	frameRate: Rational,
	uri: (track: Track) => string,
	{ captions = [], storyboard = null }: Beside = {},
): string {
	const tracks = [...videos, ...sounds.map(({ track }) => track)];
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
	for (const [n, codec] of codecs.entries()) {
		const others = codecs.flatMap((_, other) => (other === n ? [] : [other + 1]));
		lines.push(
			`    <AdaptationSet id="${n + 1}" contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1">`,
			...(others.length === 0
				? []
				: [`      <SupplementalProperty schemeIdUri="${switchingScheme}" value="${others.join(",")}"/>`]),
		);
		for (const video of videos.filter((track) => track.codecs.startsWith(codec))) {
			const attributes = `width="${video.width}" height="${video.height}" frameRate="${frames(frameRate)}" sar="1:1"`;
			lines.push(...representation(video, { ...presented(video), attributes }));
		}
		lines.push("    </AdaptationSet>");
	}
	for (const sound of nameSounds(sounds, heardLanguage(captions)))
		lines.push(...soundSet(sound, sounds.length > 1, presented(sound.track)));
	lines.push(...captionsSets(captions, seconds));
	if (storyboard !== null) lines.push(...storyboardSet(storyboard, frameRate));
	return `${[...lines, "  </Period>", "</MPD>"].join("\n")}\n`;
}
