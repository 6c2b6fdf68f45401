import { createPlayer } from "@reelmill/browser/player";
import { createUpload } from "@reelmill/browser/upload";
import "../../../plain-html/page/page.css";

const file = document.querySelector<HTMLInputElement>("#file") as HTMLInputElement;
const status = document.querySelector<HTMLOutputElement>("#status") as HTMLOutputElement;
const element = document.querySelector<HTMLVideoElement>("#player") as HTMLVideoElement;

async function ask(path: string, body?: object) {
	const json = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
	const answer = await fetch(path, body === undefined ? {} : json);
	const value = await answer.json();
	if (!answer.ok) throw new Error(value.message);
	return value;
}

async function send(chosen: File): Promise<void> {
	const upload = createUpload({
		file: chosen,
		initiate: () => ask("/my/videos", { content_type: chosen.type || "video/mp4", file_size: chosen.size }),
	});
	upload.state.subscribe(({ bytesSent, bytesTotal }) => {
		status.value = `Uploaded ${Math.round((100 * bytesSent) / bytesTotal)} %.`;
	});
	const { videoId } = await upload.start();
	let video = await ask(`/my/videos/${videoId}`);
	while (!["available", "failed", "timeout", "expired", "cancelled"].includes(video.state)) {
		status.value = `The video is ${video.state}, ${video.progress} %.`;
		await new Promise((resolve) => setTimeout(resolve, 500));
		video = await ask(`/my/videos/${videoId}`);
	}
	status.value = `The video is ${video.state}.`;
	if (video.state !== "available") return;
	createPlayer({ element, video, key: () => ask(`/my/videos/${videoId}/key`, {}) });
	element.hidden = false;
	await element.play();
}

file.addEventListener("change", () => {
	const [chosen] = file.files ?? [];
	if (chosen)
		send(chosen).catch((error: Error) => {
			status.value = error.message;
		});
});
