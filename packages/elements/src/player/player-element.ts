import { fromBackEnd } from "@reelmill/browser/back-end";
import { type Chapter, createPlayer, type Player, type PlayerOptions } from "@reelmill/browser/player";
import { numberIn, reflect } from "../base/attributes.ts";
import { type AwaitedVideo, awaitVideo, reasonOf, type Wait } from "../base/await-video.ts";
import { make, setText } from "../base/dom.ts";
import { icon } from "../base/icons.ts";
import { LocalElement } from "../base/local-element.ts";
import { type PlayerWords, replaced, type SomeWords, textOfCode } from "../words/words.ts";
import { offerAirPlay, withdrawAirPlay } from "./air-play.ts";
import { offerAudioTracks } from "./audio-tracks.ts";
import { loadControlWords } from "./control-words.ts";
import { type Controls, createControls } from "./controls.ts";
import { keepPreview } from "./preview-box.ts";
import { offerRenditions } from "./renditions.ts";
import { playerStyles } from "./styles.ts";

/** The events of `<reelmill-player>` besides those of a video element. They don't bubble. */
export type PlayerEvents = {
	/** The player can play: once for each video. */
	playerready: CustomEvent<{ readonly player: Player }>;
	/** The playback has ended by a PlayerError, or by an error of your back end. */
	playererror: CustomEvent<{ readonly error: Error }>;
};

/** The events of the video element that the player has too. They don't bubble, as there. */
const mediaEvents = [
	...["play", "playing", "pause", "ended", "seeking", "seeked", "waiting", "timeupdate", "durationchange"],
	...["volumechange", "ratechange", "loadstart", "loadedmetadata", "loadeddata", "canplay", "canplaythrough"],
	...["progress", "suspend", "stalled", "abort", "emptied", "enterpictureinpicture", "leavepictureinpicture"],
];
/** What the video element has from the player as it stands. */
const passedOn = ["muted", "loop", "playsinline", "autoplay", "poster", "title"] as const;

/** What no second try changes, and a video on its way, which the element waits for. */
const withoutRetry = new Set([
	...["preparing", "not_ready", "failed", "cancelled", "unfinished"],
	...["deleted", "too_large", "unsupported"],
]);
/** The words for a video that never will be there, where they are not those of one that failed. */
const endings: Readonly<Record<string, string>> = { cancelled: "cancelled", expired: "unfinished" };

type Video = PlayerOptions["video"];

/**
 * `<reelmill-player>`: plays a video with controls. It loads what `preload` says, and no more before it is played.
 * @example
 * ```ts
 * import { ReelmillPlayer } from "@reelmill/elements/player";
 *
 * const ask = async (path: string) => (await fetch(path, { method: "POST" })).json(); // your back end
 * const player = document.createElement("reelmill-player");
 * player.key = () => ask("/my-backend/playback-key");
 * player.video = await ask("/my-backend/video");
 * document.body.append(player);
 *
 * await new Promise((resolve) => player.addEventListener("playerready", resolve, { once: true }));
 * console.log(player instanceof ReelmillPlayer, player.paused); // => true true
 * ```
 */
export class ReelmillPlayer extends LocalElement {
	static readonly observedAttributes = [
		"video",
		"chapters",
		"preload",
		"codec",
		"audio-only",
		"back-end",
		"video-id",
		...passedOn,
	];

	/** Asks your back end for a playback key, which a private video needs. */
	key: PlayerOptions["key"] | null = null;
	/** Options of the player besides those that are attributes; they hold for a video that is set later. */
	playerOptions: Partial<PlayerOptions> = {};

	/** The video element that plays. */
	readonly media: HTMLVideoElement = make("video", { part: "video", playsinline: true, tabindex: "-1" });
	readonly #renditions = offerRenditions(this.media);
	readonly #audioTracks = offerAudioTracks(this.media);
	readonly #start = make("button", { type: "button", part: "start", click: () => void this.play() }, icon("resume"));
	/** How far a video on its way is. */
	readonly #progress = make("progress", { part: "progress", max: "100" });
	readonly #sentence = make("p");
	readonly #retry = make("button", { type: "button", part: "retry", click: () => this.retry() });
	readonly #problem: HTMLElement = make(
		"div",
		{ part: "problem", role: "alert", slot: "dialog", noautohide: true },
		icon("warning"),
		make("slot", { name: "problem" }, this.#sentence),
		this.#progress,
		this.#retry,
	);
	readonly #controls: Controls;
	#words: SomeWords<PlayerWords> | null = null;
	#video: Video | null = null;
	/** What the player plays: `video`, or what the back end gave. */
	#found: Video | undefined;
	#player: Player | undefined;
	#unfollow: (() => void)[] = [];
	/** Those of the page; null if it leaves them to the video. */
	#chapters: readonly Chapter[] | null = null;
	/** Those that the video brings along. */
	#foundChapters: readonly Chapter[] = [];
	/** Aborts when the element turns to another video. */
	#turn = new AbortController();
	#told: string | undefined;
	#isAnnounced = false;
	#failure: string | null = null;
	#lastProblem: string | null = null;

	constructor() {
		super(playerStyles);
		this.#problem.hidden = true;
		this.#controls = createControls(this.media, {
			centre: this.#start,
			dialog: this.#problem,
			setAudioOnly: (audioOnly) => {
				this.audioOnly = audioOnly;
			},
		});
		this.root.append(this.#controls.element);
		for (const type of mediaEvents) this.media.addEventListener(type, () => this.dispatchEvent(new Event(type)));
		this.media.addEventListener("play", () => {
			const hadFocus = this.root.activeElement === this.#start;
			this.#start.hidden = true;
			this.#controls.element.toggleAttribute("data-started", true);
			// The keys go on working for whoever started it by keyboard.
			if (hadFocus) this.#controls.element.querySelector<HTMLElement>("media-play-button")?.focus();
		});
		this.media.addEventListener("ended", () => this.#showStart("retry"));
		this.media.addEventListener("seeking", () => {
			if (this.#start.dataset["icon"] === "retry") this.#start.hidden = true;
		});
		// The pictures over the time line are fetched when someone points at it.
		const timeRange = this.#controls.element.querySelector<HTMLElement>("media-time-range");
		const showPreview = timeRange ? keepPreview(timeRange) : () => {};
		for (const type of ["pointerenter", "focusin"])
			timeRange?.addEventListener(type, () => {
				this.#player?.loadStoryboard().then(
					() => whenRead(this.media.querySelector("track[kind=metadata]"), showPreview),
					() => {},
				);
			});
	}

	override connectedCallback(): void {
		super.connectedCallback();
		if (!this.#player) this.#open();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		// An element that is moved goes on.
		queueMicrotask(() => {
			if (!this.isConnected) this.#close();
		});
	}

	attributeChangedCallback(name: string, before: string | null, value: string | null): void {
		if (before === value) return;
		if (name === "video") this.#setVideo(value === null ? null : (JSON.parse(value) as Video));
		else if (name === "chapters") this.chapters = value === null ? null : (JSON.parse(value) as Chapter[]);
		else if (name === "back-end" || name === "video-id") this.#open();
		else if (name === "title") this.render();
		else if (name === "muted") this.media.muted = this.media.defaultMuted = value !== null;
		else if (name === "audio-only") this.#player?.setAudioOnly(value !== null);
		else if (name === "codec") this.#player?.setCodec(this.codec === "auto" ? "h264" : this.codec);
		else if (name !== "preload") reflect(this.media, name, value);
	}

	/** The video object of the API, or the fields of it that a player needs; as an attribute it is JSON. */
	get video(): Video | null {
		return this.#video;
	}
	set video(value: Video | null) {
		this.#setVideo(value);
	}
	/**
	 * The video's chapters, in any order (default: those that the uploaded file had); as an attribute they are JSON. An
	 * empty list shows none.
	 */
	get chapters(): readonly Chapter[] {
		return this.#chapters ?? this.#foundChapters;
	}
	set chapters(value: readonly Chapter[] | null) {
		this.#changeChapters(() => {
			this.#chapters = value ?? null;
		});
	}
	/** The address of `uploadRoutes` in your back end, which is asked for the video `videoId` and for keys. */
	get backEnd(): string | null {
		return this.getAttribute("back-end");
	}
	set backEnd(value: string | null) {
		reflect(this, "back-end", value);
	}
	/** The id of the video that the back end is asked for; `video` stands over it. */
	get videoId(): string | null {
		return this.getAttribute("video-id");
	}
	set videoId(value: string | null) {
		reflect(this, "video-id", value);
	}
	/** What is loaded before the first play: `none`, `metadata` or `auto` (default: `metadata`). */
	get preload(): "none" | "metadata" | "auto" {
		const value = this.getAttribute("preload");
		return value === "none" || value === "auto" ? value : "metadata";
	}
	set preload(value: "none" | "metadata" | "auto") {
		reflect(this, "preload", value);
	}
	/** The codec to play: `h264`, `av1` or `auto` (default: `auto`). */
	get codec(): "h264" | "av1" | "auto" {
		const value = this.getAttribute("codec");
		return value === "h264" || value === "av1" ? value : "auto";
	}
	set codec(value: "h264" | "av1" | "auto") {
		reflect(this, "codec", value);
	}
	/** Where the playback begins, in seconds (default: 0). */
	get startTime(): number {
		return numberIn(this, "start-time") ?? 0;
	}
	set startTime(seconds: number | null) {
		reflect(this, "start-time", seconds);
	}
	/** Whether the sound is played and loaded without the picture. */
	get audioOnly(): boolean {
		return this.hasAttribute("audio-only");
	}
	set audioOnly(value: boolean) {
		reflect(this, "audio-only", value);
	}
	/** The picture before the play (default: that of the video); it also stands behind what the player says. */
	get poster(): string | null {
		return this.getAttribute("poster");
	}
	set poster(value: string | null) {
		reflect(this, "poster", value);
	}
	get autoplay(): boolean {
		return this.hasAttribute("autoplay");
	}
	set autoplay(value: boolean) {
		reflect(this, "autoplay", value);
	}
	get loop(): boolean {
		return this.hasAttribute("loop");
	}
	set loop(value: boolean) {
		reflect(this, "loop", value);
	}
	/** Words in place of the element's own, in any language. */
	get words(): SomeWords<PlayerWords> | null {
		return this.#words;
	}
	set words(value: SomeWords<PlayerWords> | null) {
		this.#words = value;
		this.render();
	}

	get paused(): boolean {
		return this.media.paused;
	}
	get ended(): boolean {
		return this.media.ended;
	}
	get duration(): number {
		return this.media.duration;
	}
	get currentTime(): number {
		return this.media.currentTime;
	}
	set currentTime(seconds: number) {
		this.media.currentTime = seconds;
	}
	get volume(): number {
		return this.media.volume;
	}
	set volume(value: number) {
		this.media.volume = value;
	}
	get muted(): boolean {
		return this.media.muted;
	}
	set muted(value: boolean) {
		this.media.muted = value;
	}
	get playbackRate(): number {
		return this.media.playbackRate;
	}
	set playbackRate(value: number) {
		this.#player?.setSpeed(value);
	}
	/**
	 * The player behind the element, with its stores and all that the element has no attribute for; null without a video.
	 */
	get player(): Player | null {
		return this.#player ?? null;
	}

	/** Plays. Never rejects: a browser that forbids it leaves the video paused. */
	async play(): Promise<void> {
		await this.media.play().catch(() => {});
	}
	pause(): void {
		this.media.pause();
	}
	/** Tries again where an error ended the playback, or there was nothing to play. */
	retry(): void {
		const player = this.#player;
		this.#lastProblem = null;
		if (player?.state.get().source) player.retry();
		else this.#open();
	}

	get #texts(): PlayerWords {
		return replaced(this.allWords.player, this.#words);
	}

	#setVideo(video: Video | null): void {
		// The same video in a new object, as a framework hands it over, plays on.
		if (video === this.#video || JSON.stringify(video) === JSON.stringify(this.#video)) return;
		this.#video = video;
		this.#open();
	}

	/** Opens the video at the end of this task, so that a page can set `video` before `key`. */
	#open(): void {
		this.#close();
		const { signal } = this.#turn;
		queueMicrotask(async () => {
			if (!this.isConnected) return;
			const { backEnd } = this;
			const known = this.#video;
			const id = known?.id ?? this.videoId;
			const waits = (wait: Wait<Video & AwaitedVideo>) => {
				this.#progress.value = ("video" in wait && wait.video.progress) || 0;
				this.#wait(wait.reason, "error" in wait ? wait.error : undefined);
			};
			try {
				const ask = backEnd !== null && id !== null ? () => fromBackEnd(backEnd).video(id) : null;
				const video = ask ? await awaitVideo<Video & AwaitedVideo>({ ask, known, waits, signal }) : known;
				if (video && !signal.aborted) this.#play(video);
			} catch (error) {
				if (!signal.aborted) this.#wait(reasonOf(error), error);
			}
		});
	}

	#play(video: Video): void {
		this.#found = video;
		const { backEnd } = this;
		const key = this.key ?? (backEnd === null ? null : () => fromBackEnd(backEnd).key(video.id));
		this.#failure = null;
		const player = createPlayer({
			...this.playerOptions,
			element: this.media,
			video,
			preload: this.preload,
			codec: this.codec,
			audioOnly: this.audioOnly,
			...(key ? { key } : {}),
		});
		this.#player = player;
		this.#showStart("resume");
		this.#start.hidden = this.autoplay;
		this.#unfollow = [
			this.#renditions.follow(player),
			this.#audioTracks.follow(player),
			player.state.subscribe(() => this.#follow(player)),
		];
		this.#follow(player);
		if (this.autoplay) void this.play();
		if (this.startTime) this.media.currentTime = this.startTime;
	}

	/** Shows the button over the picture: to begin, or to begin again. */
	#showStart(sign: "resume" | "retry"): void {
		this.#start.dataset["icon"] = sign;
		this.#start.replaceChildren(icon(sign));
		this.#start.hidden = false;
		this.render();
	}

	/** Shows why the back end gave no video, or none yet. The page is told of an error once. */
	#wait(reason: string, error?: unknown): void {
		const isNew = this.#failure !== reason;
		this.#failure = reason;
		if (isNew && error !== undefined)
			this.#tell("playererror", { error: error instanceof Error ? error : new Error(`${error}`) });
		this.render();
	}

	/** The same chapters in a new list leave the menu as it is. */
	#changeChapters(change: () => void): void {
		const before = JSON.stringify(this.chapters);
		change();
		if (JSON.stringify(this.chapters) === before) return;
		this.#controls.showChapters(this.chapters);
		this.render();
	}

	/** Shows the chapters that the video brings along. Without them it plays as well. */
	#findChapters(player: Player): void {
		player.loadChapters().then(
			(found) => {
				if (this.#player !== player) return;
				this.#changeChapters(() => {
					this.#foundChapters = found;
				});
			},
			() => {},
		);
	}

	#tell<Type extends keyof PlayerEvents>(type: Type, detail: PlayerEvents[Type]["detail"]): void {
		this.dispatchEvent(new CustomEvent(type, { detail }));
	}

	#close(): void {
		for (const end of this.#unfollow) end();
		this.#unfollow = [];
		withdrawAirPlay(this.media);
		this.#player?.destroy();
		this.#player = undefined;
		this.#controls.element.removeAttribute("data-started");
		this.#told = undefined;
		this.#isAnnounced = false;
		this.#failure = this.#lastProblem = null;
		this.#turn.abort();
		this.#turn = new AbortController();
		this.#changeChapters(() => {
			this.#foundChapters = [];
		});
		this.render();
	}

	#follow(player: Player): void {
		const { status, error } = player.state.get();
		if (status !== this.#told) {
			this.#told = status;
			// Another codec, the sound alone and a retry make it ready again.
			if (status === "ready" && !this.#isAnnounced) {
				this.#isAnnounced = true;
				this.#tell("playerready", { player });
				this.#findChapters(player);
			}
			if (status === "ready" && this.#found?.visibility === "public")
				offerAirPlay(this.media, player, this.#found.outputs?.hls_url ?? null);
			if (status === "failed" && error) this.#tell("playererror", { error });
		}
		this.render();
	}

	/** What a viewer is told in place of the video; null for nothing. */
	#problemNow(): string | null {
		const { status, error } = this.#player?.state.get() ?? {};
		// What is tried again by itself is a problem until it is not.
		if (status !== "loading") this.#lastProblem = this.#failure ?? error?.reason ?? null;
		if (this.#lastProblem !== "failed") return this.#lastProblem;
		return endings[this.#found?.state ?? ""] ?? "failed";
	}

	protected render(): void {
		const words = this.#texts;
		const state = this.#player?.state.get();
		const problem = this.#problemNow();
		const hadFocus = this.#problem.contains(this.root.activeElement);
		this.#controls.element.setAttribute("aria-label", this.title || words.label);
		this.#start.setAttribute("aria-label", this.#start.dataset["icon"] === "retry" ? words.replay : words.play);
		this.media.setAttribute("aria-label", this.title || words.label);
		this.#problem.hidden = problem === null;
		this.#controls.element.toggleAttribute("data-problem", problem !== null);
		this.#problem.toggleAttribute("data-waiting", problem === "preparing");
		const { direction } = getComputedStyle(this);
		this.#problem.dir = direction;
		if (problem !== null) setText(this.#sentence, textOfCode(words.errors, problem));
		else if (hadFocus) this.#start.focus();
		setText(this.#retry, words.tryAgain);
		this.#progress.hidden = problem !== "preparing" || this.#progress.value === 0;
		this.#progress.setAttribute("aria-label", words.progress);
		this.#retry.hidden = problem !== null && withoutRetry.has(problem);
		this.#controls.show(words, {
			quality: (state?.levels.length ?? 0) > 1,
			captions: (state?.captions.length ?? 0) > 0,
			sound: (state?.sounds.length ?? 0) > 1,
			airPlay: this.#found?.visibility === "public",
			audioOnly: state?.source === "hls" ? state.audioOnly : null,
			direction,
		});
		loadControlWords(this.language, this.#controls.element, words.controls);
	}
}

/** Calls `then` when the cues of a track can be read: now, or once. */
function whenRead(track: HTMLTrackElement | null, then: () => void): void {
	if (!track) return;
	if (track.readyState === track.LOADED) then();
	else track.addEventListener("load", then, { once: true });
}
