/// <reference lib="dom" />
import { fromBackEnd } from "@reelmill/browser/back-end";
import { createPlayer, type Player } from "@reelmill/browser/player";
import { createUpload, createUploader, type UploadController, type Uploader } from "@reelmill/browser/upload";

const backEnd = fromBackEnd("/video");

/** What the test does in the page. It calls these functions by name. */
const actions = {
	upload: undefined as UploadController | undefined,
	uploader: undefined as Uploader | undefined,
	player: undefined as Player | undefined,

	begin(about: string, chunkSize = 64 * 1024) {
		const file = document.querySelector("input")?.files?.[0];
		if (!file) throw new Error("no file was chosen");
		const upload = createUpload({ file, initiate: () => backEnd.initiate(file, { about }), chunkSize });
		actions.upload = upload;
		upload.start().catch(() => {});
	},
	/** Pauses it as soon as bytes were sent. */
	async beginAndPause(about: string) {
		actions.begin(about);
		await new Promise<void>((resolve) => {
			actions.upload?.state.subscribe(({ bytesSent }) => {
				if (bytesSent > 0) resolve();
			});
		});
		actions.upload?.pause();
	},
	async send(about: string) {
		actions.begin(about);
		return actions.end();
	},
	/** Sends it in the place of the upload that is in the way. */
	async replace() {
		actions.upload?.start({ replace: true }).catch(() => {});
		return actions.end();
	},
	async end() {
		await actions.upload?.start().catch(() => {});
		const { status, videoId, error = null, canReplace, startedAnew } = actions.upload?.state.get() ?? {};
		return { status, videoId, error: error && { ...error, message: error.message }, canReplace, startedAnew };
	},
	queue() {
		const uploader = createUploader({ initiate: (file) => backEnd.initiate(file) });
		actions.uploader = uploader;
		uploader.add(document.querySelector("input")?.files ?? []);
	},
	queued: () =>
		(actions.uploader?.state.get().items ?? []).map(({ state: { status, error, retryAt } }) => ({
			status,
			code: (error as { code?: string } | null)?.code,
			retryAt,
		})),
	async play(id: string, asksForKeyOf = id, maxBufferSeconds = 30) {
		const element = document.querySelector("video");
		if (!element) throw new Error("no video element");
		element.muted = true;
		const video = await backEnd.video(id);
		actions.player = createPlayer({ element, video, key: () => backEnd.key(asksForKeyOf), maxBufferSeconds });
		void element.play().catch(() => {});
	},
	playing() {
		const { status, source, error } = actions.player?.state.get() ?? {};
		const { code, reason } = error ?? {};
		return { status, source, error: code, reason, currentTime: document.querySelector("video")?.currentTime };
	},
};
Object.assign(globalThis, { actions });
