import type { Video } from "@reelmill/contracts";
import { type Codec, chooseCodec } from "./codec-choice.ts";
import { createDeliveryAccess, type KeySource } from "./delivery-access.ts";
import { fetchDelivered } from "./delivery-fetch.ts";
import { createHlsSource } from "./hls-source.ts";
import { asPlayerError, PlayerError } from "./player-error.ts";
import { createStore, type Store } from "./store.ts";

export type { Codec } from "./codec-choice.ts";
export type { KeySource, PlaybackKeyAnswer } from "./delivery-access.ts";
export { PlayerError, type PlayerErrorCode } from "./player-error.ts";
export type { Store } from "./store.ts";

export type PlayerState = {
	/** `ready` once there is something to play; `failed` if `error` says why there is not. */
	status: "loading" | "ready" | "failed" | "destroyed";
	/** How the video plays: through hls.js, by the browser's own HLS, or as an MP4; null until that is known. */
	source: "hls" | "native" | "file" | null;
	/** The codec that was chosen for HLS; null if the browser chooses. */
	codec: Codec | null;
	error: PlayerError | null;
};

export type PlayerOptions = {
	/** The element that plays the video. */
	element: HTMLVideoElement;
	/** The video object of the API, or these fields of it. */
	video: Pick<Video, "id" | "outputs" | "visibility">;
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
};

export type Player = {
	/** The current state, and its changes. */
	readonly state: Store<PlayerState>;
	/** Calls the listener with each error that ends the playback. Returns a function that removes the listener. */
	onError(listener: (error: PlayerError) => void): () => void;
	/** Stops loading, empties the element and frees what was fetched. Idempotent. */
	destroy(): void;
};

/**
 * Plays a video in an element of the page. It never throws: `state` and `onError` tell what failed. A `play()` may come
 * before there is anything to play. The key goes in the Authorization header, and only to the origin of the outputs.
 * Casting has no headers, so it is off for a private video.
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
export function createPlayer({ element, video, key, codec = "auto" }: PlayerOptions): Player {
	const { store, set } = createStore<PlayerState>({ status: "loading", source: null, codec: null, error: null });
	const ended = new AbortController();
	const cleanUps: (() => void)[] = [];
	const isPrivate = video.visibility === "private";
	const outputs = video.outputs;

	const cleanUp = (work: () => void) => (ended.signal.aborted ? work() : void cleanUps.push(work));
	const fail = (error: unknown) => {
		if (!ended.signal.aborted) set({ status: "failed", error: asPlayerError(error) });
	};
	const ready = (source: PlayerState["source"]) => {
		if (!ended.signal.aborted) set({ status: "ready", source });
	};
	const play = (address: string, source: PlayerState["source"]) => {
		if (ended.signal.aborted) return;
		const undecodable = () =>
			fail(
				new PlayerError(
					"media_error",
					element.error?.message || "The browser could not play the video.",
					element.error,
				),
			);
		element.addEventListener("error", undecodable, { signal: ended.signal });
		stillPlaying(element, () => {
			element.src = address;
		});
		ready(source);
	};

	async function load(): Promise<void> {
		const anyUrl = outputs?.hls_url ?? outputs?.mp4_url;
		if (!outputs || !anyUrl)
			throw new PlayerError("not_playable", "The video has nothing to play: is its state available?");
		const access = createDeliveryAccess({ origin: new URL(anyUrl).origin, isPrivate, key });
		const fetched = async (url: string) => {
			const address = URL.createObjectURL(await fetchDelivered(url, access, ended.signal));
			cleanUp(() => URL.revokeObjectURL(address));
			return address;
		};
		if (isPrivate) withoutCasting(element, cleanUp);
		if (outputs.thumbnail_url && !element.poster)
			void showPoster(isPrivate ? fetched(outputs.thumbnail_url) : outputs.thumbnail_url);

		if (outputs.hls_url) {
			const [module, chosen] = await Promise.all([
				import("hls.js"),
				chooseCodec(codec, outputs.renditions, globalThis.navigator?.mediaCapabilities),
			]);
			if (ended.signal.aborted) return;
			if (module.default.isSupported()) {
				set({ codec: chosen ?? null });
				const source = createHlsSource(module, {
					url: outputs.hls_url,
					access,
					codec: chosen,
					onReady: () => ready("hls"),
					onError: fail,
				});
				cleanUp(source.destroy);
				return stillPlaying(element, () => source.attach(element));
			}
			if (!isPrivate && element.canPlayType("application/vnd.apple.mpegurl")) return play(outputs.hls_url, "native");
		}
		if (!outputs.mp4_url) throw new PlayerError("unsupported", "This browser can play none of the video's outputs.");
		play(isPrivate ? await fetched(outputs.mp4_url) : outputs.mp4_url, "file");
	}

	async function showPoster(address: string | Promise<string>): Promise<void> {
		const poster = await Promise.resolve(address).catch(() => undefined);
		if (poster === undefined || ended.signal.aborted) return;
		element.poster = poster;
		cleanUp(() => element.poster === poster && element.removeAttribute("poster"));
	}

	load().catch(fail);
	return {
		state: store,
		onError(listener) {
			let last = store.get().error;
			return store.subscribe(({ error }) => {
				if (error !== null && error !== last) listener(error);
				last = error;
			});
		},
		destroy() {
			if (ended.signal.aborted) return;
			ended.abort();
			for (const work of cleanUps.reverse()) work();
			element.removeAttribute("src");
			element.load();
			set({ status: "destroyed" });
		},
	};
}

function withoutCasting(element: HTMLVideoElement, cleanUp: (work: () => void) => void): void {
	const before = element.disableRemotePlayback;
	element.disableRemotePlayback = true;
	cleanUp(() => {
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
