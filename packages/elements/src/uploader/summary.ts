import { make, setText } from "../base/dom.ts";
import { fill } from "../words/words.ts";
import { numberInWords, shareInWords } from "./amounts.ts";
import type { UploaderFile } from "./file-list.ts";
import type { Speech } from "./item-view.ts";

/** What is said of all files together, and done with them. It is there for more than one. */
export type Summary = { readonly element: HTMLElement; show(items: readonly UploaderFile[], speech: Speech): void };

/** The files that are being sent, or wait for their turn. */
const underWay = new Set<UploaderFile["status"]>(["waiting", "preparing", "uploading", "retrying"]);

/** Makes the summary. `start` starts what is ready or paused, `pause` pauses all. */
export function createSummary({ start, pause }: { start: () => void; pause: () => void }): Summary {
	const text = make("p");
	let isPause = false;
	const button = make("button", { type: "button", part: "button all", click: () => (isPause ? pause() : start()) });
	const element = make("div", { part: "summary" }, text, button);
	return {
		element,
		show(items, { words, language }) {
			const all = items.filter(({ status }) => !["refused", "cancelled", "expired"].includes(status));
			const statuses = all.map(({ status }) => status);
			element.hidden = all.length < 2;
			const [sent, total] = all.reduce(
				([some, whole], { file, status, upload }) => [
					some + (status === "done" ? file.size : (upload?.bytesSent ?? 0)),
					whole + file.size,
				],
				[0, 0],
			);
			const done = statuses.filter((status) => status === "done").length;
			const share = total > 0 ? shareInWords(sent / total, language) : "";
			const summary = fill(words.summary, {
				done: numberInWords(done, language),
				all: numberInWords(all.length, language),
			});
			setText(text, done === all.length ? summary : `${summary} · ${share}`);
			const isReady = statuses.includes("ready");
			isPause = !isReady && statuses.some((status) => underWay.has(status));
			setText(button, isReady ? words.startAll : isPause ? words.pauseAll : words.resumeAll);
			button.hidden = !isReady && !isPause && !statuses.includes("paused");
		},
	};
}
