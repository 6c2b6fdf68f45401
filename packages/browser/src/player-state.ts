import type { Codec } from "./codec-choice.ts";
import type { PlayerError } from "./player-error.ts";
import type { Picture } from "./storyboard.ts";

/** A quality that the viewer can choose. */
export type Level = {
	/** Pixels, and what names the level: no two have the same. */
	readonly height: number;
	readonly width: number;
	/** Bits per second at most, with the sound. */
	readonly bitrate: number;
};

/** One of several sounds of a video: a language, a commentary. */
export type Sound = {
	/** The shortest tag of RFC 5646, such as `de`; an empty text if it is not known. */
	readonly language: string;
	/** The title that the video's file gives it, or the language's name in that language. */
	readonly label: string;
};

/** Captions of the whole video; also one of the element's text tracks. */
export type Caption = {
	/** The shortest tag of RFC 5646, also the track's `srclang`; an empty text if it is not known. */
	readonly language: string;
	/** The title that the video's file gives them, or the language's name in that language, such as "Deutsch". */
	readonly label: string;
};

/** What the player does at the moment. */
export type PlayerState = {
	/**
	 * `idle`: nothing was loaded yet, because of `preload` or because the player is out of view. `ready`: a `play()`
	 * begins at once. `failed`: `error` says why.
	 */
	status: "idle" | "loading" | "ready" | "failed" | "destroyed";
	/** How the video plays: through hls.js, by the browser's own HLS, or as an MP4; null until that is known. */
	source: "hls" | "native" | "file" | null;
	/** The codec that was chosen for HLS; null if the browser chooses. */
	codec: Codec | null;
	/** The codecs of the video that this browser can play, for `setCodec`; empty until that is known. */
	codecs: readonly Codec[];
	/** The qualities, from small to large; empty until they are known, and if the browser chooses. */
	levels: readonly Level[];
	/** The height of the level that plays; null until that is known. */
	level: number | null;
	/** The height that the viewer chose; null if the player chooses. */
	chosenLevel: number | null;
	/** Whether the sound is played and loaded without the picture. */
	audioOnly: boolean;
	/** The sounds that the viewer can choose from; empty until they are known, and if the browser chooses. */
	sounds: readonly Sound[];
	/** The index of the sound that plays. 0 is the one that plays by default. */
	sound: number;
	/** The captions that can be shown. */
	captions: readonly Caption[];
	/** The index of the captions that are shown; null for none. */
	shownCaptions: number | null;
	/** Small pictures of the video in order of time, once `loadStoryboard` has them. */
	storyboard: readonly Picture[] | null;
	error: PlayerError | null;
};

/** What the element does, as a value: changes several times a second while it plays. All times are seconds. */
export type PlaybackState = {
	paused: boolean;
	/** Whether the playback stands still until more is loaded. */
	waiting: boolean;
	ended: boolean;
	currentTime: number;
	/** How long the video is; null until that is known. */
	duration: number | null;
	/** How much is loaded after `currentTime`, without a gap. */
	bufferedAhead: number;
	/** 1 is normal. */
	speed: number;
	muted: boolean;
	/** From 0 to 1. */
	volume: number;
};
