import { make, setText } from "../base/dom.ts";
import { icon } from "../base/icons.ts";
import type { UploaderWords } from "../words/words.ts";

/** The forms that a recorder may write, the one that most devices read first. */
const forms = ["video/mp4;codecs=avc1.42E01E,mp4a.40.2", "video/mp4", "video/webm;codecs=vp9,opus", "video/webm"];

/** Whether this page can record with a camera: it needs HTTPS and a browser that can. */
export const canRecord = (): boolean =>
	typeof MediaRecorder === "function" && Boolean(globalThis.navigator?.mediaDevices?.getUserMedia);

/**
 * Opens a dialog in which a person records a video with the camera and looks at it. Resolves to the file, or to null if
 * the dialog was closed; the camera is off then.
 */
export function recordVideo(parent: ShadowRoot, words: UploaderWords): Promise<File | null> {
	const video = make("video", { part: "camera-picture", playsinline: true, "aria-label": words.cameraTitle });
	const notice = make("p", { part: "camera-notice", role: "alert" });
	const main = make("button", { type: "button", part: "button primary camera-main", click: () => step() });
	const again = make(
		"button",
		{ type: "button", part: "button camera-again", click: () => void open() },
		words.cameraAgain,
	);
	const close = make(
		"button",
		{
			type: "button",
			part: "button action camera-close",
			"aria-label": words.cameraClose,
			click: () => dialog.close(),
		},
		icon("close"),
	);
	const title = make("h2", { id: "camera-title" }, words.cameraTitle);
	const dialog = make(
		"dialog",
		{ part: "camera", "aria-labelledby": "camera-title" },
		make("header", {}, title, close),
		video,
		notice,
		make("footer", {}, again, main),
	);
	let stream: MediaStream | undefined;
	let recorder: MediaRecorder | undefined;
	let file: File | null = null;
	let accepted = false;

	const off = () => {
		for (const track of stream?.getTracks() ?? []) track.stop();
		stream = undefined;
		video.srcObject = null;
	};
	const release = () => {
		if (video.src) URL.revokeObjectURL(video.src);
		video.removeAttribute("src");
		file = null;
	};
	const show = (text: string, isRecording = false) => {
		setText(main, text);
		dialog.toggleAttribute("data-recording", isRecording);
		again.hidden = file === null;
	};

	async function open(): Promise<void> {
		release();
		setText(notice, "");
		main.disabled = true;
		show(words.cameraStart);
		try {
			const opened = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "user" }, audio: true });
			stream = opened;
			if (!dialog.open) return off();
			video.muted = true;
			video.controls = false;
			video.srcObject = opened;
			await video.play();
			main.disabled = false;
			main.focus();
		} catch {
			off();
			setText(notice, words.cameraRefused);
		}
	}

	function record(from: MediaStream): void {
		const mimeType = forms.find((form) => MediaRecorder.isTypeSupported(form));
		const chunks: Blob[] = [];
		const made = new MediaRecorder(from, mimeType ? { mimeType } : {});
		recorder = made;
		made.ondataavailable = ({ data }) => void chunks.push(data);
		made.onstop = () => {
			recorder = undefined;
			off();
			if (!dialog.open) return;
			const type = (made.mimeType || "video/webm").split(";", 1)[0] as string;
			file = new File(chunks, `${words.cameraFile} ${stamp(new Date())}.${type.split("/")[1]}`, { type });
			video.src = URL.createObjectURL(file);
			video.muted = false;
			video.controls = true;
			show(words.cameraUse);
			main.focus();
		};
		made.start(1000);
		show(words.cameraStop, true);
	}

	function step(): void {
		if (recorder) recorder.stop();
		else if (file) {
			accepted = true;
			dialog.close();
		} else if (stream) record(stream);
	}

	parent.append(dialog);
	dialog.showModal();
	void open();
	return new Promise((resolve) => {
		dialog.addEventListener("close", () => {
			const result = accepted ? file : null;
			if (recorder?.state === "recording") recorder.stop();
			off();
			release();
			dialog.remove();
			resolve(result);
		});
	});
}

/** Names a recording by its time, in signs that every system allows in a file's name. */
const stamp = (time: Date): string =>
	`${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}.${two(time.getMinutes())}.${two(time.getSeconds())}`;
const two = (value: number): string => `${value}`.padStart(2, "0");
