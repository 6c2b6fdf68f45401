import { fromBackEnd } from "@reelmill/browser/back-end";
import { createPlayer, type Player } from "@reelmill/browser/player";
import { createUpload } from "@reelmill/browser/upload";
import "../../../plain-html/page/page.css";
import type { Lesson } from "../application.ts";

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const file = element<HTMLInputElement>("file");
const title = element<HTMLInputElement>("title");
const status = element<HTMLOutputElement>("status");
const list = element<HTMLUListElement>("lessons");
const video = element<HTMLVideoElement>("player");

const backEnd = fromBackEnd("/video");
let player: Player | undefined;

async function signIn(name: string): Promise<void> {
	const headers = { "content-type": "application/json" };
	const answer = await fetch("/sign-in", { method: "POST", headers, body: JSON.stringify({ name }) });
	file.disabled = !answer.ok;
	status.value = answer.ok ? `Signed in as ${name}.` : "Sign in with a name.";
	if (answer.ok) await showLessons();
}

async function send(chosen: File): Promise<void> {
	const upload = createUpload({ file: chosen, initiate: () => backEnd.initiate(chosen, { about: title.value }) });
	upload.state.subscribe(({ status: now, bytesSent, bytesTotal, error }) => {
		status.value = error ? error.message : `${now}, ${Math.round((100 * bytesSent) / bytesTotal)} %`;
	});
	const { videoId } = await upload.start();
	// The webhook tells the back end; the page asks the back end.
	while (!(await showLessons()).some((lesson) => lesson.videoId === videoId)) {
		const { state, progress, failure_reason: reason } = await backEnd.video(videoId);
		status.value = `The video is ${state}, ${progress} %.`;
		if (reason) return;
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	status.value = "The lesson is published.";
}

async function showLessons(): Promise<Lesson[]> {
	const lessons = (await (await fetch("/lessons")).json()) as Lesson[];
	list.replaceChildren(
		...lessons.map((lesson) => {
			const button = Object.assign(document.createElement("button"), { textContent: `Play ${lesson.title}` });
			button.addEventListener("click", () => void play(lesson.videoId).catch(tell));
			const row = document.createElement("li");
			row.append(button, ` by ${lesson.by}`);
			return row;
		}),
	);
	return lessons;
}

async function play(id: string): Promise<void> {
	player?.destroy();
	player = createPlayer({ element: video, video: await backEnd.video(id), key: () => backEnd.key(id) });
	video.hidden = false;
	await video.play();
}

const tell = (error: Error) => {
	status.value = error.message;
};
element<HTMLFormElement>("sign-in").addEventListener("submit", (event) => {
	event.preventDefault();
	signIn(element<HTMLInputElement>("name").value).catch(tell);
});
file.addEventListener("change", () => {
	const [chosen] = file.files ?? [];
	if (chosen) send(chosen).catch(tell);
});
