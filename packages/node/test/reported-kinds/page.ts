/// <reference lib="dom" />
import {
	type CreateUploadOptions,
	createPlayer,
	createUpload,
	createUploader,
	fromBackEnd,
	type Player,
	type PlayerOptions,
	type UploadController,
	type Uploader,
	type UploaderOptions,
	type UploadState,
} from "@reelmill/browser";
import type { ReelmillPlayer, ReelmillUploader } from "@reelmill/elements";

const backEndUrl = `${location.pathname}video`;
const backEnd = fromBackEnd(backEndUrl);
const fast = { chunkSize: 64 * 1024, backoffSeconds: 0.05, retries: 20 };
const over = ["done", "failed", "cancelled", "expired"];

/** The state as a test reads it. */
const told = ({ error, source: _, ...state }: UploadState) => {
	const { name, message, code } = (error ?? {}) as { name?: string; message?: string; code?: string };
	return { ...state, error: error && { name, message, code } };
};
const files = () => [...(document.querySelector("input")?.files ?? [])];
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const videoElement = (index: number) => document.querySelectorAll("video")[index] as HTMLVideoElement;

/** What the kinds do in the page. They call these functions by name. */
const actions = {
	/** Errors that nothing caught. */
	uncaught: [] as string[],
	upload: undefined as unknown as UploadController,
	uploader: undefined as unknown as Uploader,
	players: [] as Player[],
	statuses: [] as string[],

	begin(about: string, options: Partial<CreateUploadOptions> = {}, index = 0) {
		const file = files()[index];
		if (!file) throw new Error("no file was chosen");
		const upload = createUpload({ file, initiate: () => backEnd.initiate(file, { about }), ...fast, ...options });
		upload.state.subscribe(({ status }) => actions.statuses.push(status));
		actions.upload = upload;
		void upload.start().catch(() => {});
	},
	look: () => told(actions.upload.state.get()),
	again: (options = {}) => void actions.upload.start(options).catch(() => {}),
	async end() {
		while (!over.includes(actions.upload.state.get().status)) await wait(20);
		return actions.look();
	},
	async send(about: string, options: Partial<CreateUploadOptions> = {}) {
		actions.begin(about, options);
		return actions.end();
	},
	/** Has the service worker send the file. */
	async sendInServiceWorker() {
		await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
		const { active } = await navigator.serviceWorker.ready;
		const { port1, port2 } = new MessageChannel();
		const ended = new Promise((resolve) => {
			port1.onmessage = ({ data }) => resolve(data);
		});
		active?.postMessage({ file: files()[0], backEndUrl }, [port2]);
		return ended;
	},
	/** Lets a minute pass at once, as far as the page can tell. */
	passMinute() {
		const now = Date.now.bind(Date);
		Date.now = () => now() + 61_000;
	},

	queue(options: Partial<UploaderOptions> = {}, chosen = files()) {
		const initiate = (file: Blob) => backEnd.initiate(file, { about: "queue" });
		actions.uploader = createUploader({ initiate, ...fast, ...options });
		actions.uploader.add(chosen);
	},
	queued: () => actions.uploader.state.get().items.map(({ id, state }) => ({ id, ...told(state) })),
	async queueEnd() {
		while (actions.uploader.state.get().isBusy) await wait(20);
		return actions.queued();
	},
	/** Whether the browser would ask before the page is left. */
	asks: () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })),
	/** Defines the elements of HTML. */
	loadElements: async () => void (await import("@reelmill/elements")),
	/** Shows an element that sends by the page's uploader, or by one of its own. */
	showUploader(uploader: Uploader | null = null) {
		const element = document.createElement("reelmill-uploader") as ReelmillUploader;
		element.uploadOptions = fast;
		if (uploader) element.uploader = uploader;
		else element.backEnd = backEndUrl;
		element.multiple = true;
		document.body.append(element);
		return element;
	},

	async play(id: string, options: Partial<PlayerOptions> = {}, { index = 0, keyOf = id, muted = true } = {}) {
		actions.open(await backEnd.video(id), options, { index, keyOf, muted });
		await videoElement(index).play();
	},
	open(video: PlayerOptions["video"], options: Partial<PlayerOptions>, { index = 0, keyOf = "", muted = true } = {}) {
		const element = videoElement(index);
		element.muted = muted;
		const key = () => backEnd.key(keyOf);
		actions.players[index] = createPlayer({ element, video, key, codec: "h264", ...options });
	},
	video: (id: string) => backEnd.video(id),
	playing(index = 0) {
		const { status, source, error, captions, shownCaptions } = actions.players[index]?.state.get() ?? {};
		const { currentTime, paused, ended, src, readyState } = videoElement(index);
		const { code, reason, sentence } = error ?? {};
		return {
			status,
			source,
			code,
			reason,
			sentence,
			captions,
			shownCaptions,
			currentTime,
			paused,
			ended,
			src,
			readyState,
		};
	},
	/** Resolves once it plays at more than so many seconds, and pauses it there. */
	async pauseAfter(seconds: number, index = 0) {
		const element = videoElement(index);
		while (element.currentTime <= seconds) await wait(20);
		element.pause();
	},
	/** Resolves once the playback has failed, with what is told of it. */
	async failed(index = 0) {
		while (actions.players[index]?.state.get().status !== "failed") await wait(20);
		return actions.playing(index);
	},
	/** Plays it fast, and resolves when it is past what was loaded before. */
	async playedOn(index = 0) {
		videoElement(index).playbackRate = 4;
		await actions.pauseAfter(4.5, index);
		return actions.playing(index);
	},
	/** Goes on, without waiting for it. */
	goOn: (index = 0) =>
		void videoElement(index)
			.play()
			.catch(() => {}),
	hide(isHidden: boolean) {
		Object.defineProperty(document, "visibilityState", { configurable: true, value: isHidden ? "hidden" : "visible" });
		Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
		document.dispatchEvent(new Event("visibilitychange"));
	},
	/** The texts of a track's cues. */
	cues: (element: HTMLVideoElement, kind: string) =>
		[...element.textTracks]
			.filter((track) => track.kind === kind)
			.flatMap(({ cues }) => [...(cues ?? [])].map((cue) => (cue as VTTCue).text)),
	showPlayer(video: ReelmillPlayer["video"], properties: Partial<ReelmillPlayer>) {
		const element = document.createElement("reelmill-player") as ReelmillPlayer;
		Object.assign(element, { key: () => backEnd.key(video?.id ?? ""), muted: true, ...properties, video });
		document.body.append(element);
		return element;
	},
};
addEventListener("error", ({ message }) => actions.uncaught.push(message));
addEventListener("unhandledrejection", ({ reason }) => actions.uncaught.push(String(reason)));
Object.assign(globalThis, { actions });
