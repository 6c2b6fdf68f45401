import { addCaptions } from "./captions.ts";
import { chooseCodec } from "./codec-choice.ts";
import { createDemand, type Demand } from "./demand.ts";
import { createFileSource, type FileSource, readWhole } from "./file-source.ts";
import { createHlsSource, type HlsSource } from "./hls-source.ts";
import { readMasterPlaylist } from "./master-playlist.ts";
import { patiently } from "./patient-fetch.ts";
import { watchPlayback } from "./playback.ts";
import { accessTo, keyedFetch, named, successful } from "./playback-fetch.ts";
import { PlayerError } from "./player-error.ts";
import type { Player, PlayerOptions } from "./player-options.ts";
import type { PlayerState } from "./player-state.ts";
import { createPreview } from "./preview.ts";
import { chooseSource, playableCodecs } from "./source-kind.ts";
import { createStore } from "./store.ts";
import { asTrack, loadStoryboard, type Picture } from "./storyboard.ts";

export type { CaptionFile } from "./captions.ts";
export type { Codec } from "./codec-choice.ts";
export type { KeySource, PlaybackKeyAnswer } from "./delivery-access.ts";
export { createPlaybackFetch, type PlaybackFetch } from "./playback-fetch.ts";
export { PlayerError, type PlayerErrorCode, type PlayerErrorDetails, type PlayerErrorReason } from "./player-error.ts";
export type { Player, PlayerOptions } from "./player-options.ts";
export type { Caption, Level, PlaybackState, PlayerState } from "./player-state.ts";
export type { Store } from "./store.ts";
export type { Picture } from "./storyboard.ts";

/**
 * Plays a video in an element of the page. It never throws: `state` and `onError` tell what failed. A `play()` may come
 * before there is anything to play; its promise may then end with an `AbortError`, and the video plays all the same. The
 * key goes in the Authorization header, and only to the origin of the outputs. Casting has no headers, so it is off for
 * a private video.
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
	const fail = (error: unknown) => set({ status: "failed", error: named(error, access) });
	const get = async (url: string, headers = {}) =>
		successful(await patiently(fetchFile)(url, { signal, headers }), access);
	const fetchBlob = async (url: string) => (await get(url)).blob();
	const keep = (address: string) => {
		onEnd(() => URL.revokeObjectURL(address));
		return address;
	};

	let source: ReturnType<typeof chooseSource> | undefined;
	let codec = options.codec ?? "auto";
	let preview: ReturnType<typeof createPreview>;
	let hls: HlsSource | undefined;
	let file: FileSource | undefined;
	let opening: object | undefined;
	let poster: unknown;
	let filling: unknown;
	let captions: ReturnType<typeof addCaptions> | undefined;
	let storyboard: Promise<readonly Picture[]> | undefined;

	const chosenCodec = async () => {
		const renditions = outputs?.renditions ?? [];
		const codecs = playableCodecs().filter((each) => renditions.some((rendition) => rendition.codec === each));
		const chosen = await chooseCodec(codec, renditions, globalThis.navigator?.mediaCapabilities);
		set({ codec: chosen ?? null, codecs });
		return chosen;
	};
	const offerCaptions = (languages: readonly string[]) => {
		if (captions || signal.aborted) return;
		const url = video.transcript_url ?? (source?.kind === "hls" && new URL("../transcript.vtt", source.url).href);
		const found = languages.length > 0 ? languages : video.transcript_url ? [""] : [];
		const files = options.captions ?? found.map((language) => ({ url: url || "", language }));
		const changed = (shownCaptions: number | null) => set({ shownCaptions });
		captions = addCaptions(element, files, { fetchBlob, changed, ended: signal });
		set({ captions: captions.captions });
	};

	async function showPoster(url: string): Promise<void> {
		const address = isPrivate ? keep(URL.createObjectURL(await fetchBlob(url))) : url;
		if (signal.aborted) return;
		element.poster = address;
		onEnd(() => element.poster === address && element.removeAttribute("poster"));
	}

	/** Shows what belongs before the playback. Errors of the decoder are left to the playback. */
	async function fillPreview(url: string): Promise<void> {
		const [chosen, response] = await Promise.all([chosenCodec(), get(url)]);
		const master = readMasterPlaylist(await response.text(), response.url || url, chosen);
		if (hls || signal.aborted) return;
		offerCaptions(master.captions);
		set({ levels: master.variants.map(({ width, height, bitrate }) => ({ width, height, bitrate })) });
		const fetchRange = async (address: string, from: number, to: number) => {
			const answer = await get(address, { range: `bytes=${from}-${to - 1}` });
			const bytes = await answer.arrayBuffer();
			return answer.status === 206 ? bytes : bytes.slice(from, to);
		};
		await preview?.fill({ master, durationSeconds, fetchRange, signal });
		if (!hls && !opening) set({ status: "ready" });
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
				file = createFileSource(element, address, element.currentTime);
			});
			file?.demand(demand.get());
			return set({ status: "ready" });
		}
		const { url } = source;
		const [module, chosen] = await Promise.all([import("hls.js"), chosenCodec()]);
		if (isLate()) return;
		const startAt = element.currentTime;
		const { audioOnly } = store.get();
		stillPlaying(element, () => {
			hls?.destroy();
			hls = createHlsSource(module, {
				...{ url, element, access, codec: chosen, audioOnly, startAt, maxBufferSeconds },
				config: options.hlsConfig,
				onReady: ({ levels, languages }) => {
					offerCaptions(languages);
					set({ status: "ready", ...(audioOnly ? {} : { levels }) });
					const { chosenLevel } = store.get();
					if (chosenLevel !== null && !audioOnly) hls?.choose(chosenLevel);
				},
				onLevel: (level) => set({ level: level || null }),
				onError: fail,
			});
		});
		preview?.destroy();
		hls?.load(demand.get() === "all");
	}

	function follow(wanted: Demand): void {
		if (!source || store.get().status === "failed") return;
		const { kind, url } = source;
		if (wanted !== "nothing" && outputs?.thumbnail_url && !element.poster)
			poster ??= showPoster(outputs.thumbnail_url).catch(() => {});
		file?.demand(wanted);
		if (hls || opening) return hls?.load(wanted === "all");
		if (wanted === "all" && (kind === "hls" || (isPrivate && kind === "file"))) return void open().catch(fail);
		if (wanted !== "metadata" || filling) return;
		if (kind !== "hls") return set({ status: "ready" });
		set({ status: "loading" });
		filling = fillPreview(url).catch(fail);
	}

	const retry = () => {
		if (store.get().status !== "failed" || !source) return;
		set({ status: "loading", error: null });
		if (hls) return hls.retry();
		opening = filling = undefined;
		follow(demand.get());
	};

	if (isPrivate) withoutCasting(element, onEnd);
	const preloadBefore = element.preload;
	try {
		source = chooseSource(outputs, isPrivate, element);
		set({ source: source.kind, audioOnly: options.audioOnly === true && source.kind === "hls" });
	} catch (error) {
		queueMicrotask(() => fail(error));
	}
	const reopen = () => {
		if (hls || opening) open().catch(fail);
	};
	if (source?.kind === "hls" && element.paused && !element.src) preview = createPreview(element);
	else if (source && source.kind !== "hls" && !isPrivate) {
		const { url } = source;
		stillPlaying(element, () => {
			file = createFileSource(element, url, 0);
		});
		set({ status: "ready" });
	}
	if (options.captions || (source && source.kind !== "hls")) offerCaptions([]);
	const demand = createDemand(element, { preload, signal, changed: (wanted) => follow(wanted) });
	const listen = (target: EventTarget, event: string, work: () => void) =>
		target.addEventListener(event, work, { signal });
	listen(element, "play", retry);
	listen(element, "click", () => {
		// Without a source the browser's controls are off.
		if (source && !element.src) element.play().catch(() => {});
	});
	listen(element, "error", () => {
		if (file) fail(new PlayerError("media_error", element.error?.message || "The browser could not play the video."));
	});
	if (typeof window !== "undefined")
		listen(window, "online", () => {
			if (store.get().error?.reason === "offline") retry();
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
		setSpeed(speed) {
			element.defaultPlaybackRate = speed;
			element.playbackRate = speed;
		},
		showCaptions: (index) => captions?.show(index),
		loadStoryboard() {
			storyboard ??= fetchStoryboard().catch((error) => {
				storyboard = undefined;
				throw named(error, access);
			});
			return storyboard;
		},
		retry,
		destroy() {
			if (signal.aborted) return;
			const before = { ...store.get() };
			ended.abort();
			hls?.destroy();
			preview?.destroy();
			element.preload = preloadBefore;
			element.removeAttribute("src");
			element.load();
			change({ ...before, status: "destroyed" });
		},
	};

	async function fetchStoryboard(): Promise<readonly Picture[]> {
		const url = outputs?.storyboard_url;
		const pictures = url ? await loadStoryboard(url, fetchBlob, keep) : [];
		if (pictures.length === 0 || signal.aborted) return pictures;
		set({ storyboard: pictures });
		const track = document.createElement("track");
		Object.assign(track, { kind: "metadata", label: "thumbnails", default: true });
		track.src = keep(URL.createObjectURL(asTrack(pictures)));
		element.append(track);
		onEnd(() => track.remove());
		return pictures;
	}
}

function withoutCasting(element: HTMLVideoElement, onEnd: (work: () => void) => void): void {
	const before = element.disableRemotePlayback;
	element.disableRemotePlayback = true;
	onEnd(() => {
		element.disableRemotePlayback = before;
	});
}

/**
 * Changes the source of an element and lets it play if it was to play before: a new source pauses it. The browser's
 * rules on autoplay may refuse that.
 */
function stillPlaying(element: HTMLVideoElement, change: () => void): void {
	const wanted = !element.paused;
	change();
	if (wanted && element.paused) element.play().catch(() => {});
}
