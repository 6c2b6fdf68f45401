import Hls, { type ErrorData, type HlsConfig, type RetryConfig } from "hls.js";
import { type Codec, isOf } from "./codec-choice.ts";
import type { DeliveryAccess } from "./delivery-access.ts";
import { errorOf, isBusy, keyedLoader } from "./keyed-loader.ts";
import { type FoundCaptions, knownLanguage } from "./master-playlist.ts";
import { named } from "./playback-fetch.ts";
import { PlayerError } from "./player-error.ts";
import type { Sound } from "./player-state.ts";
import type { Found } from "./preview.ts";

export type HlsSource = {
	readonly hls: Hls;
	/** Loads on, or stops. What is loaded stays. */
	load(wanted: boolean): void;
	/** Plays one level from now on; null for whichever the connection allows. */
	choose(height: number | null): void;
	/** Plays the sound of this index from now on. */
	chooseSound(index: number): void;
	/** Begins again where an error ended the loading. */
	retry(): void;
	destroy(): void;
};

/**
 * This file is loaded together with hls.js, when a player first needs both.
 *
 * Creates a source that plays a master playlist in an element through hls.js. It recovers from one decoding error. The
 * sound alone is played from its own playlist. Where the sound is there with more channels as well, the one with the
 * fewest is played: a browser mixes the others down to two.
 */
export function createHlsSource(options: {
	url: string;
	element: HTMLMediaElement;
	access: DeliveryAccess;
	codec: Codec | undefined;
	audioOnly: boolean;
	sound: number;
	startAt: number;
	maxBufferSeconds: number;
	config: Partial<HlsConfig> | undefined;
	onReady: (found: Found & { readonly sounds: readonly Sound[] }) => void;
	onLevel: (height: number) => void;
	onError: (error: PlayerError) => void;
}): HlsSource {
	const { url, element, access, codec, maxBufferSeconds, startAt, onReady, onLevel, onError } = options;
	let failed = false;
	let keyFailure: unknown;
	let recovered = false;
	let begun = false;
	let wanted = true;
	let soundSought = options.audioOnly;
	let captions: FoundCaptions[] = [];
	const policies = ["manifestLoadPolicy", "playlistLoadPolicy", "fragLoadPolicy"] as const;
	const hls = new Hls({
		maxBufferLength: maxBufferSeconds,
		maxMaxBufferLength: maxBufferSeconds,
		backBufferLength: maxBufferSeconds,
		capLevelToPlayerSize: true,
		...options.config,
		autoStartLoad: false,
		// The captions are tracks of this package, which plays them without hls.js too.
		subtitleTrackController: undefined as never,
		subtitleStreamController: undefined as never,
		timelineController: undefined as never,
		loader: keyedLoader(
			access,
			(error) => fail(error),
			(failure) => {
				keyFailure = failure;
			},
		),
		...Object.fromEntries(
			policies.map((name) => [name, withRetries({ ...Hls.DefaultConfig, ...options.config }[name])]),
		),
	});
	const fail = (error: unknown) => {
		if (failed) return;
		failed = true;
		hls.stopLoad();
		onError(named(error, access));
	};
	const begin = () => {
		if (!wanted || failed || !hls.levels.length || soundSought) return;
		hls.startLoad(begun ? -1 : startAt || -1);
		begun = true;
	};
	/** The sounds of one number of channels: the playlist begins with the fewest. */
	const soundTracks = () => {
		const [first, ...others] = hls.allAudioTracks;
		return first ? [first, ...others.filter(({ groupId }) => groupId === first.groupId)] : [];
	};
	const tellReady = () =>
		onReady({
			levels: hls.levels.filter(({ height }) => height > 0),
			captions,
			sounds: soundTracks().map(({ name, lang }) => ({ label: name, language: knownLanguage(lang) })),
		});
	const chooseSound = (index: number) => {
		const track = soundTracks()[index];
		if (track) hls.setAudioOption(track);
	};
	hls.on(Hls.Events.MANIFEST_PARSED, (_, { subtitleTracks }) => {
		if (subtitleTracks.length > 0)
			captions = subtitleTracks
				.filter(({ forced }) => !forced)
				.map(({ lang, name, url }) => ({ language: knownLanguage(lang), label: name, url }));
		const sounds = soundTracks();
		const sound = soundSought && sounds[options.sound]?.url;
		soundSought = false;
		if (sound) return hls.loadSource(sound);
		const group = sounds[0]?.groupId;
		const fits = hls.levels.map(
			({ videoCodec, audioGroups }) =>
				(codec === undefined || isOf(codec, videoCodec)) && (!group || !audioGroups || audioGroups.includes(group)),
		);
		if (fits.includes(true)) for (const index of [...fits.keys()].reverse()) if (!fits[index]) hls.removeLevel(index);
		if (options.sound) chooseSound(options.sound);
		begin();
		tellReady();
	});
	hls.on(Hls.Events.LEVEL_SWITCHED, (_, { level }) => onLevel(hls.levels[level]?.height ?? 0));
	hls.on(Hls.Events.ERROR, (_, data) => {
		const offline = data.type === Hls.ErrorTypes.NETWORK_ERROR && !navigator.onLine;
		if (!data.fatal && !offline) return;
		if (data.type === Hls.ErrorTypes.MEDIA_ERROR && !recovered) {
			recovered = true;
			return hls.recoverMediaError();
		}
		fail(data.type === Hls.ErrorTypes.NETWORK_ERROR && keyFailure ? keyFailure : explain(data));
	});
	hls.loadSource(url);
	hls.attachMedia(element);
	return {
		hls,
		load(next) {
			if (next === wanted) return;
			wanted = next;
			if (wanted) begin();
			else hls.stopLoad();
		},
		choose(height) {
			hls.nextLevel = height === null ? -1 : hls.levels.findIndex((level) => level.height === height);
		},
		chooseSound,
		retry() {
			failed = false;
			if (hls.levels.length === 0) return hls.loadSource(url);
			if (wanted) hls.startLoad();
			tellReady();
		},
		destroy: () => hls.destroy(),
	};
}

/**
 * Makes hls.js retry a broken connection (status 0) too, which it does not. A browser that is offline is told at once
 * instead, because it says when it is online again. For a busy service the loader has waited already.
 */
function withRetries<P extends { default: { errorRetry: RetryConfig | null } }>(policy: P): P {
	const shouldRetry: RetryConfig["shouldRetry"] = (config, count, _timeout, response, retry) =>
		navigator.onLine &&
		!isBusy(response?.code ?? 0) &&
		(retry || (response?.code === 0 && count < (config?.maxNumRetry ?? 0)));
	const { errorRetry } = policy.default;
	return errorRetry === null
		? policy
		: { ...policy, default: { ...policy.default, errorRetry: { ...errorRetry, shouldRetry } } };
}

function explain({ type, details, response, networkDetails, error: cause }: ErrorData): PlayerError {
	if (type !== Hls.ErrorTypes.NETWORK_ERROR)
		return new PlayerError("media_error", `This browser could not play this video (${details}).`, { cause });
	if ((response?.code ?? 0) >= 400) return errorOf(networkDetails);
	return new PlayerError("network_error", `The video could not be loaded (${details}).`, { cause });
}
