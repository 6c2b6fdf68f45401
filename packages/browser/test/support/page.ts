/// <reference lib="dom" />
import { createPlayer, type Player, type PlayerOptions } from "../../src/player.ts";
import { createUpload, type UploadController } from "../../src/upload.ts";
import { sendAndWatch } from "../readme-example.ts";

/** What the browser tests do in the page. They call these functions by name. */
const actions = {
	upload: undefined as UploadController | undefined,
	player: undefined as Player | undefined,
	players: [] as Player[],
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

	play(
		video: PlayerOptions["video"],
		codec: "h264" | "av1" | "auto",
		keys: string[],
		options: Partial<PlayerOptions> = {},
		begin = true,
	) {
		const element = document.querySelector("video");
		if (!element) throw new Error("no video element");
		const key = async () => ({
			playback_key: keys[Math.min(actions.minted++, keys.length - 1)] ?? "",
			expires_at: new Date(Date.now() + 3_600_000).toISOString(),
		});
		actions.player = createPlayer({ element, video, codec, ...(keys.length > 0 ? { key } : {}), ...options });
		actions.player.onError(({ code }) => actions.errors.push(code));
		element.muted = true;
		if (begin) void element.play().catch(() => {});
	},
	/** Plays with keys of the page's own back end. */
	playWithBackEnd(video: PlayerOptions["video"], options: Partial<PlayerOptions> = {}, begin = true) {
		const key = async () => {
			actions.minted++;
			const answer = await fetch("/my-backend/playback-key", { method: "POST" });
			if (!answer.ok) throw new Error("no key");
			return answer.json();
		};
		actions.play(video, "h264", [], { key, ...options }, begin);
	},
	/** Puts many players below one another. */
	many(count: number, video: PlayerOptions["video"], key: string) {
		document.querySelector("video")?.remove();
		for (let n = 0; n < count; n++) {
			const element = document.createElement("video");
			element.style.cssText = "display: block; height: 400px";
			document.body.append(element);
			const answer = { playback_key: key, expires_at: "2099-01-01T00:00:00.000Z" };
			actions.players.push(createPlayer({ element, video, key: async () => answer }));
		}
	},
	statuses: () => actions.players.map(({ state }) => state.get().status),
	/** What is loaded: from where to where, in seconds. */
	loaded() {
		const { buffered } = document.querySelector("video") ?? {};
		return buffered?.length ? [buffered.start(0), buffered.end(buffered.length - 1)] : [];
	},
	playing() {
		const element = document.querySelector("video");
		const { currentTime = 0, poster = "", src = "", videoWidth = 0, readyState = 0 } = element ?? {};
		return {
			...actions.player?.playback.get(),
			...actions.player?.state.get(),
			error: actions.errors[0] ?? null,
			currentTime,
			poster,
			src,
			videoWidth,
			readyState,
			reason: actions.player?.state.get().error?.reason ?? null,
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
