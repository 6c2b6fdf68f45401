/// <reference lib="dom" />
import { createPlayer, type Player } from "../../src/player.ts";
import { createUpload, type UploadController } from "../../src/upload.ts";
import { sendAndWatch } from "../readme-example.ts";

/** What the browser tests do in the page. They call these functions by name. */
const actions = {
	upload: undefined as UploadController | undefined,
	player: undefined as Player | undefined,
	minted: 0,
	errors: [] as string[],

	start(chunkSize: number) {
		const file = document.querySelector("input")?.files?.[0];
		if (!file) throw new Error("no file was chosen");
		const initiate = async () => (await fetch("/initiate", { method: "POST" })).json();
		actions.upload = createUpload({ file, initiate, chunkSize, backoffSeconds: 0.05 });
		void actions.upload.start();
	},
	uploadState: () => actions.upload?.state.get(),

	play(video: Parameters<typeof createPlayer>[0]["video"], codec: "h264" | "av1" | "auto", keys: string[]) {
		const element = document.querySelector("video");
		if (!element) throw new Error("no video element");
		const key = async () => ({
			playback_key: keys[Math.min(actions.minted++, keys.length - 1)] ?? "",
			expires_at: new Date(Date.now() + 3_600_000).toISOString(),
		});
		actions.player = createPlayer({ element, video, codec, ...(keys.length > 0 ? { key } : {}) });
		actions.player.onError(({ code }) => actions.errors.push(code));
		element.muted = true;
		void element.play().catch(() => {});
	},
	playing() {
		const { currentTime = 0, poster = "", src = "", videoWidth = 0 } = document.querySelector("video") ?? {};
		return {
			...actions.player?.state.get(),
			error: actions.errors[0] ?? null,
			currentTime,
			poster,
			src,
			videoWidth,
			minted: actions.minted,
		};
	},
	async example() {
		const [file, element] = [document.querySelector("input")?.files?.[0], document.querySelector("video")];
		if (!file || !element) throw new Error("no file was chosen");
		element.muted = true;
		actions.player = await sendAndWatch(file, element);
		await element.play().catch(() => {});
	},
	async seek(seconds: number) {
		const element = document.querySelector("video");
		if (!element) return 0;
		const sought = new Promise((resolve) => element.addEventListener("seeked", resolve, { once: true }));
		element.currentTime = seconds;
		await sought;
		return element.currentTime;
	},
};
export type Actions = typeof actions;
Object.assign(globalThis, { actions });
