import type { Video } from "@reelmill/contracts";
import type Hls from "hls.js";
import type { HlsConfig } from "hls.js";
import type { CaptionFile } from "./captions.ts";
import type { Chapter } from "./chapters.ts";
import type { Codec } from "./codec-choice.ts";
import type { KeySource } from "./delivery-access.ts";
import type { PlaybackFetch } from "./playback-fetch.ts";
import type { PlayerError } from "./player-error.ts";
import type { PlaybackState, PlayerState } from "./player-state.ts";
import type { Store } from "./store.ts";
import type { Picture } from "./storyboard.ts";

/** What `createPlayer` needs: the element, the video and where keys come from. */
export type PlayerOptions = {
	/** The element that plays the video. */
	element: HTMLVideoElement;
	/** The video object of the API, or these fields of it. Its `state` tells a video that failed from one on its way. */
	video: Pick<Video, "id" | "outputs" | "visibility"> &
		Partial<Pick<Video, "duration_seconds" | "state" | "transcript_url">>;
	/**
	 * Asks your back end for a playback key, which a private video needs. All requests of the player share one key. The
	 * function is called again before a key expires.
	 */
	key?: KeySource;
	/**
	 * The codec to play (default: `auto`). `auto` takes AV1 if this device decodes it well, and H.264 otherwise. If the
	 * video does not have the codec, another one is taken.
	 */
	codec?: Codec | "auto";
	/**
	 * What is loaded before the first play (default: `metadata`). `none` loads the poster alone; `metadata` loads the
	 * poster, the duration and the first picture, at most 300 kB; `auto` loads what is played first, up to
	 * `maxBufferSeconds`. A poster of more than 210 kB is left out. Whatever it is, nothing is loaded while the player is
	 * out of view.
	 */
	preload?: "none" | "metadata" | "auto";
	/** How much is loaded ahead of the playback, and kept behind it, in seconds (default: 30). */
	maxBufferSeconds?: number;
	/** Whether to play the sound without the picture (default: false). It needs HLS. */
	audioOnly?: boolean;
	/**
	 * The captions to offer (default: the video's transcript, and the others that its playlist names). Each is fetched,
	 * with the key, when it is first switched on.
	 */
	captions?: readonly CaptionFile[];
	/**
	 * The largest private MP4 that is fetched whole where there is no Media Source, in bytes (default: 209715200). It is
	 * held in memory. A larger one ends with the reason `too_large`.
	 */
	maxWholeFileBytes?: number;
	/** Settings of hls.js that stand over this player's own, for those who know it (default: none). */
	hlsConfig?: Partial<HlsConfig>;
};

/** What `createPlayer` gives: its state and what the page can ask of it. */
export type Player = {
	/** The current state, and its changes. */
	readonly state: Store<PlayerState>;
	/** What the element does, and its changes: several a second during the playback. */
	readonly playback: Store<PlaybackState>;
	/** hls.js, if it plays the video now; another one after `setCodec` and `setAudioOnly`. */
	readonly hls: Hls | null;
	/** Fetches a file of the video with the key, as `createPlaybackFetch` does. */
	readonly fetch: PlaybackFetch;
	/** Calls the listener with each error that ends the playback. Returns a function that removes the listener. */
	onError(listener: (error: PlayerError) => void): () => void;
	/** Loads what is played first, up to `maxBufferSeconds`, as if `preload` were `auto`. */
	load(): void;
	/** Plays the level of this height from now on; null leaves the choice to the player. Kept when the codec changes. */
	setLevel(height: number | null): void;
	/** Changes the codec. The playback goes on where it is, after a short gap. Does nothing without HLS. */
	setCodec(codec: Codec): void;
	/** Changes between sound alone and picture and sound, where the playback is. Does nothing without HLS. */
	setAudioOnly(audioOnly: boolean): void;
	/** Plays the sound of this index of `state.sounds` from now on. Kept when the codec changes. */
	setSound(index: number): void;
	/** Sets the speed; 1 is normal. It stays when the source changes. */
	setSpeed(speed: number): void;
	/** Shows the captions of this index of `state.captions`; null for none. */
	showCaptions(index: number | null): void;
	/**
	 * Fetches the storyboard once, puts it into `state.storyboard`, and adds it to the element as a `metadata` track
	 * named "thumbnails". Resolves to its pictures; to none if the video has no storyboard.
	 * @throws {PlayerError} when it can't be loaded; the next call tries again
	 */
	loadStoryboard(): Promise<readonly Picture[]>;
	/**
	 * Fetches the chapters that the uploaded file had, and resolves to them in order; to none if the video has no
	 * chapters.
	 * @throws {PlayerError} when they can't be loaded
	 */
	loadChapters(): Promise<readonly Chapter[]>;
	/** Tries again where an error ended the playback. Does nothing if none did. */
	retry(): void;
	/** Stops loading, empties the element and frees what was fetched. Idempotent. */
	destroy(): void;
};
