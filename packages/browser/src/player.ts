import { createDemand, type Demand } from "./demand.ts";
import { createExtras } from "./extras.ts";
import { createFileSource, type FileSource, readWhole } from "./file-source.ts";
import type { HlsSource } from "./hls-source.ts";
import { createLaterTries } from "./later-tries.ts";
import { patiently } from "./patient-fetch.ts";
import { patientPlay, stillPlaying, withoutCasting } from "./play-through.ts";
import { watchPlayback } from "./playback.ts";
import { accessTo, keyedFetch, named, successful } from "./playback-fetch.ts";
import { PlayerError } from "./player-error.ts";
import type { Player, PlayerOptions } from "./player-options.ts";
import type { Level, PlayerState } from "./player-state.ts";
import type { Found, Preview } from "./preview.ts";
import { chooseSource, playableCodecs } from "./source-kind.ts";
import { createStore } from "./store.ts";

export type { CaptionFile } from "./captions.ts";
export type { Chapter } from "./chapters.ts";
export type { Codec } from "./codec-choice.ts";
export type { KeySource, PlaybackKeyAnswer } from "./delivery-access.ts";
export { createPlaybackFetch, type PlaybackFetch } from "./playback-fetch.ts";
export { PlayerError, type PlayerErrorCode, type PlayerErrorDetails, type PlayerErrorReason } from "./player-error.ts";
export type { Player, PlayerOptions } from "./player-options.ts";
export type { Caption, Level, PlaybackState, PlayerState, Sound } from "./player-state.ts";
export type { Store } from "./store.ts";
export type { Picture } from "./storyboard.ts";

/** Leaves out what only the source knows of a level. */
const asLevel = ({ width, height, bitrate }: Level): Level => ({ width, height, bitrate });

/** What poster and preview have before the play, in bytes; the master playlist has the rest of 300 kB. */
const mostBytes = 280_000;

/**
 * Plays a video in an element of the page. It never throws: `state` and `onError` tell what failed. A `play()` may come
 * before there is anything to play: its promise waits for that. The key goes in the Authorization header, and only to
 * the origin of the outputs. Casting has no headers, so it is off for a private video.
 * @example
 * ```ts
 * import { createPlayer } from "@reelmill/browser/player";
 *
 * const ask = async (path: string) => (await fetch(path, { method: "POST" })).json(); // your back end
 * const element = document.createElement("video");
 * document.body.append(element);
 *
 * const video = await ask("/my-backend/video");
 * const player = createPlayer({ element, video, key: () => ask("/my-backend/playback-key") });
 * await new Promise<void>((ready) => player.state.subscribe(({ status }) => status === "ready" && ready()));
 * console.log(player.state.get().source); // => file
 * ```
 */
export function createPlayer(options: PlayerOptions): Player {
	const { element, video, preload = "metadata", maxBufferSeconds = 30, maxWholeFileBytes = 209_715_200 } = options;
	const { outputs } = video;
	const isPrivate = video.visibility === "private";
	const durationSeconds = video.duration_seconds ?? null;
	const { store, set: change } = createStore<PlayerState>({
		status: "idle",
		source: null,
		codec: null,
		codecs: [],
		levels: [],
		level: null,
		chosenLevel: null,
		audioOnly: false,
		sounds: [],
		sound: 0,
		captions: [],
		shownCaptions: null,
		storyboard: null,
		error: null,
	});
	const ended = new AbortController();
	const { signal } = ended;
	const onEnd = (work: () => void) => (signal.aborted ? work() : signal.addEventListener("abort", work));
	const set = (state: Partial<PlayerState>) => {
		if (!signal.aborted) change(state);
	};
	const access = accessTo(video, options.key);
	const fetchFile = keyedFetch(access);
	/** An error that the viewer does not notice yet, since what is loaded still plays. */
	let unnoticed: PlayerError | undefined;
	const tryLater = createLaterTries(element, signal, () => retry());
	const fail = (thrown: unknown) => {
		const error = named(thrown, access);
		set({ status: "failed", error });
		tryLater(error);
	};
	const failNamed = (error: unknown): never => {
		throw named(error, access);
	};
	const failWhenNoticed = (error: PlayerError) => {
		if (element.paused || element.readyState < 3 || !/offline|busy/.test(error.reason)) return fail(error);
		unnoticed = error;
		tryLater(error);
	};
	const get = async (url: string, init: RequestInit = {}) =>
		successful(await patiently(fetchFile)(url, { signal, ...init }), access);
	const keep = (address: string) => {
		onEnd(() => URL.revokeObjectURL(address));
		return address;
	};
	const extras = createExtras(options, { get, set, keep, onEnd, signal });

	let source: ReturnType<typeof chooseSource> | undefined;
	let codec = options.codec ?? "auto";
	let preview: Promise<Preview | undefined> | undefined;
	let hls: HlsSource | undefined;
	let file: FileSource | undefined;
	let opening: object | undefined;
	let filling: unknown;

	const chosenCodec = async () => {
		const renditions = outputs?.renditions ?? [];
		const codecs = playableCodecs().filter((each) => renditions.some((rendition) => rendition.codec === each));
		const { chooseCodec } = await import("./codec-choice.ts");
		const chosen = await chooseCodec(codec, renditions, navigator.mediaCapabilities);
		set({ codec: chosen ?? null, codecs });
		return chosen;
	};
	/** Shows what belongs before the playback. What the decoder makes of it does not matter yet. */
	async function fillPreview(url: string): Promise<void> {
		const [chosen, shown, poster] = await Promise.all([chosenCodec(), preview, extras.showPoster()]);
		const found = ({ levels, captions }: Found) => {
			extras.offerCaptions(captions);
			if (!hls) set({ levels: levels.map(asLevel) });
		};
		await shown?.fill({ url, codec: chosen, durationSeconds, mostBytes: mostBytes - poster, get, found });
		if (!opening) set({ status: "ready" });
	}

	async function open(): Promise<void> {
		if (!source) return;
		const turn = {};
		opening = turn;
		set({ status: "loading", error: null });
		const isLate = () => opening !== turn || signal.aborted;
		if (source.kind === "file" && isPrivate) {
			const blob = await readWhole(await get(source.url), maxWholeFileBytes);
			if (isLate()) return;
			const address = keep(URL.createObjectURL(blob));
			stillPlaying(element, () => {
				file = createFileSource(element, address);
			});
			file?.demand(demand.get());
			return set({ status: "ready" });
		}
		const { url } = source;
		// The preview plays on meanwhile, without sound: the playback begins where the viewer wanted it.
		let wantedAt = element.currentTime;
		const seeking = () => {
			wantedAt = element.currentTime;
		};
		element.addEventListener("seeking", seeking, { signal });
		const [{ createHlsSource }, chosen] = await Promise.all([import("./hls-source.ts"), chosenCodec()]);
		element.removeEventListener("seeking", seeking);
		if (isLate()) return;
		const startAt = hls ? element.currentTime : wantedAt;
		const { audioOnly, sound } = store.get();
		stillPlaying(element, () => {
			hls?.destroy();
			hls = createHlsSource({
				...{ url, element, access, codec: chosen, audioOnly, sound, startAt, maxBufferSeconds },
				config: options.hlsConfig,
				onReady: ({ levels, captions, sounds }) => {
					extras.offerCaptions(captions);
					set({ status: "ready", ...(audioOnly ? {} : { levels: levels.map(asLevel), sounds }) });
					const { chosenLevel } = store.get();
					if (chosenLevel !== null && !audioOnly) hls?.choose(chosenLevel);
				},
				onLevel: (level) => set({ level: level || null }),
				onError: failWhenNoticed,
			});
		});
		preview?.then((shown) => shown?.destroy()).catch(() => {});
		hls?.load(demand.get() === "all");
	}

	function follow(wanted: Demand): void {
		if (!source || store.get().status === "failed") return;
		const { kind, url } = source;
		if (wanted !== "nothing") void extras.showPoster();
		file?.demand(wanted);
		if (hls || opening) {
			hls?.load(wanted === "all");
			return;
		}
		if (wanted === "all" && (kind === "hls" || (isPrivate && kind === "file"))) {
			open().catch(fail);
			return;
		}
		if (wanted !== "metadata" || filling) return;
		if (kind !== "hls") {
			set({ status: "ready" });
			return;
		}
		set({ status: "loading" });
		filling = fillPreview(url).catch(fail);
	}

	const retry = () => {
		if (signal.aborted || (store.get().status !== "failed" && !unnoticed) || !source) return;
		unnoticed = undefined;
		set({ status: "loading", error: null });
		if (hls) return hls.retry();
		if (file) {
			element.load();
			return set({ status: "ready" });
		}
		opening = filling = undefined;
		follow(demand.get());
	};

	if (isPrivate) withoutCasting(element, onEnd);
	patientPlay(element, onEnd);
	const preloadBefore = element.preload;
	try {
		source = chooseSource(video, isPrivate, element);
		set({ source: source.kind, audioOnly: options.audioOnly === true && source.kind === "hls" });
	} catch (error) {
		queueMicrotask(() => fail(error));
	}
	const reopen = () => {
		if (hls || opening) open().catch(fail);
	};
	if (source?.kind === "hls") {
		const isFree = () => element.paused && !element.src && !opening && !signal.aborted;
		preview = import("./preview.ts").then(({ createPreview }) => (isFree() ? createPreview(element) : undefined));
		onEnd(() => preview?.then((shown) => shown?.destroy()).catch(() => {}));
	} else if (source && !isPrivate) {
		const { url } = source;
		stillPlaying(element, () => {
			file = createFileSource(element, url);
		});
		set({ status: "ready" });
	}
	if (options.captions || (source && source.kind !== "hls")) extras.offerCaptions([]);
	const demand = createDemand(element, { preload, signal, changed: (wanted) => follow(wanted) });
	const listen = (target: EventTarget, event: string, work: () => void) =>
		target.addEventListener(event, work, { signal });
	listen(element, "play", retry);
	listen(element, "waiting", () => {
		if (unnoticed) set({ status: "failed", error: unnoticed });
		unnoticed = undefined;
	});
	listen(element, "click", () => {
		// Without a source the browser's controls are off.
		if (source && !element.src) element.play().catch(() => {});
	});
	listen(element, "error", () => {
		if (file) fail(new PlayerError("media_error", element.error?.message || "This browser could not play this video."));
	});
	listen(window, "online", () => {
		if (unnoticed || store.get().error?.reason === "offline") retry();
	});

	return {
		state: store,
		playback: watchPlayback(element, durationSeconds, signal),
		get hls() {
			return hls?.hls ?? null;
		},
		fetch: fetchFile,
		onError(listener) {
			let last = store.get().error;
			return store.subscribe(({ error }) => {
				if (error !== null && error !== last) listener(error);
				last = error;
			});
		},
		load: demand.begin,
		setLevel(chosenLevel) {
			set({ chosenLevel });
			if (!store.get().audioOnly) hls?.choose(chosenLevel);
		},
		setCodec(next) {
			if (source?.kind !== "hls" || codec === next) return;
			codec = next;
			reopen();
		},
		setAudioOnly(audioOnly) {
			if (source?.kind !== "hls" || store.get().audioOnly === audioOnly) return;
			set({ audioOnly, level: null });
			reopen();
		},
		setSound(sound) {
			if (store.get().sound === sound || !store.get().sounds[sound]) return;
			set({ sound });
			if (store.get().audioOnly) reopen();
			else hls?.chooseSound(sound);
		},
		setSpeed(speed) {
			element.defaultPlaybackRate = element.playbackRate = speed;
		},
		showCaptions: extras.showCaptions,
		loadStoryboard: () => extras.loadStoryboard().catch(failNamed),
		loadChapters: () => extras.loadChapters().catch(failNamed),
		retry,
		destroy() {
			if (signal.aborted) return;
			ended.abort();
			hls?.destroy();
			element.preload = preloadBefore;
			element.removeAttribute("src");
			element.load();
			change({ status: "destroyed" });
		},
	};
}
