import { createPlayer, type Player } from "@reelmill/browser/player";
import { createUpload, type UploadController, type UploadState } from "@reelmill/browser/upload";
import { get, post } from "./back-end-calls.ts";
import "./page.css";

const element = <T extends HTMLElement>(id: string): T => {
	const found = document.getElementById(id);
	if (found === null) throw new Error(`the page has no ${id}`);
	return found as T;
};
const view = {
	video: element<HTMLVideoElement>("player"),
	codec: element<HTMLSelectElement>("codec"),
	playing: element<HTMLOutputElement>("playing"),
	file: element<HTMLInputElement>("file"),
	progress: element<HTMLProgressElement>("progress"),
	status: element<HTMLOutputElement>("status"),
	pause: element<HTMLButtonElement>("pause"),
	resume: element<HTMLButtonElement>("resume"),
	cancel: element<HTMLButtonElement>("cancel"),
	log: element<HTMLOListElement>("log"),
};

let player: Player | undefined;
let upload: UploadController | undefined;

function log(text: string): void {
	view.log.append(Object.assign(document.createElement("li"), { textContent: text }));
}

async function play(id: string): Promise<void> {
	player?.destroy();
	const video = await get(id);
	player = createPlayer({
		element: view.video,
		video,
		key: () => post(`/api/videos/${id}/key`),
		codec: view.codec.value as "auto" | "h264" | "av1",
	});
	player.state.subscribe(({ status, codec, source }) => {
		if (status !== "ready") return;
		view.playing.value = `Playing ${codec === "av1" ? "AV1" : codec === "h264" ? "H.264" : source}, ${video.visibility}.`;
		view.playing.dataset.codec = codec ?? "";
	});
	player.onError((error) => {
		view.playing.value = `Can't play: ${error.message}`;
		view.playing.dataset.error = error.code;
	});
}

function show(state: UploadState): void {
	const percent = (100 * state.bytesSent) / state.bytesTotal;
	view.progress.value = percent;
	const speed =
		state.speedBytesPerSecond === null
			? ""
			: `, ${(state.speedBytesPerSecond / 1024 ** 2).toFixed(1)} MiB/s, ${Math.ceil(state.secondsLeft ?? 0)} s left`;
	view.status.value = state.error
		? `${state.status}: ${state.error.message}`
		: `${state.status} ${percent.toFixed(0)} %${speed}`;
	view.status.dataset.status = state.status;
	const running = state.status === "uploading" || state.status === "retrying" || state.status === "preparing";
	view.pause.disabled = !running;
	view.resume.disabled = state.status !== "paused";
	view.cancel.disabled = !running && state.status !== "paused";
}

async function send(file: File): Promise<void> {
	upload = createUpload({
		file,
		initiate: (_file, _source, { kept }) =>
			post("/api/uploads", { content_type: file.type || "video/mp4", file_size: file.size, kept }),
	});
	let resumed = false;
	upload.state.subscribe((state) => {
		if (state.resumedFromBytes !== null && !resumed) {
			resumed = true;
			log(`Went on at byte ${state.resumedFromBytes} of ${state.bytesTotal}.`);
		}
		show(state);
	});
	const { videoId } = await upload.start();
	log(`Uploaded as ${videoId}.`);
	await follow(videoId);
}

/** Waits until the video is playable, or never will be. */
async function follow(id: string): Promise<void> {
	for (let last = ""; ; ) {
		const { state, progress, failure_reason } = await get(id);
		if (state !== last) log(`The video is ${state}${failure_reason ? ` (${failure_reason})` : ""}.`);
		last = state;
		view.progress.value = progress;
		view.status.value = `${state} ${progress} %`;
		if (state === "available") return play(id);
		if (["failed", "timeout", "expired", "cancelled"].includes(state)) return;
		await new Promise((resolve) => setTimeout(resolve, 1000));
	}
}

const told = (error: unknown) => log(error instanceof Error ? error.message : String(error));
view.file.addEventListener("change", () => {
	const [file] = view.file.files ?? [];
	if (file) send(file).catch(told);
});
view.pause.addEventListener("click", () => upload?.pause());
view.resume.addEventListener("click", () => upload?.resume());
view.cancel.addEventListener("click", () => void upload?.cancel());

const chosen = new URLSearchParams(location.search).get("video");
if (chosen !== null) {
	play(chosen).catch(told);
	view.codec.addEventListener("change", () => void play(chosen).catch(told));
}
