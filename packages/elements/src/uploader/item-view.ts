import { isReelmillError } from "@reelmill/client";
import { isOver } from "../base/await-video.ts";
import { make, setText } from "../base/dom.ts";
import { type IconName, icon } from "../base/icons.ts";
import { fill, type UploaderWords } from "../words/words.ts";
import { bytesInWords, lengthInWords, secondsInWords, shareInWords, timeInWords } from "./amounts.ts";
import { isEnded, type UploaderFile } from "./file-list.ts";
import { problemOf } from "./problem.ts";

export type Action = "start" | "pause" | "resume" | "retry" | "replace" | "cancel" | "remove";
/** What a view says its words in. */
export type Speech = { words: UploaderWords; language: string };
/** A file in the list. */
export type ItemView = { readonly element: HTMLLIElement; show(item: UploaderFile, speech: Speech): void };

const icons: Readonly<Record<Exclude<Action, "replace">, IconName>> = {
	start: "upload",
	pause: "pause",
	resume: "resume",
	retry: "retry",
	cancel: "close",
	remove: "close",
};

/** What can be done with a file, in the order of the buttons. */
function actionsOf({ status }: UploaderFile): readonly (keyof typeof icons)[] {
	if (isEnded(status)) return ["remove"];
	if (status === "failed") return ["retry", "cancel"];
	if (status === "paused") return ["resume", "cancel"];
	if (status === "ready") return ["start", "remove"];
	return ["pause", "cancel"];
}

/** Makes the view of a file. `act` is called when one of its buttons is pressed. */
export function createItemView(act: (action: Action) => void): ItemView {
	const nameStart = make("span", { class: "start" });
	const nameEnd = make("span");
	const name = make("bdi", { part: "name" }, nameStart, nameEnd);
	const detail = make("span", { part: "detail" });
	const share = make("span", { part: "share", "aria-hidden": "true" });
	const bar = make("div", { part: "bar" });
	const track = make("div", { part: "track", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, bar);
	const replace = make("button", { type: "button", part: "button replace", click: () => act("replace") });
	const badge = make("span", { part: "badge" });
	const buttons = make("div", { part: "actions" });
	const element = make(
		"li",
		{ part: "item" },
		badge,
		make("div", { class: "text" }, make("div", { class: "line" }, name, share), track, detail, replace),
		buttons,
	);
	let shownActions = "";
	let shownBadge = "";

	function showButtons(item: UploaderFile, { words }: Speech): void {
		const actions = actionsOf(item);
		if (actions.join() !== shownActions) {
			shownActions = actions.join();
			const root = element.getRootNode() as ShadowRoot | Document;
			const hadFocus = buttons.contains(root.activeElement);
			buttons.replaceChildren(
				...actions.map((action) =>
					make(
						"button",
						{ type: "button", part: `button action ${action}`, "data-action": action, click: () => act(action) },
						icon(icons[action]),
					),
				),
			);
			// Whoever pressed "Pause" by keyboard is now on "Resume", not at the page's start.
			if (hadFocus) buttons.querySelector("button")?.focus();
		}
		for (const button of buttons.querySelectorAll<HTMLButtonElement>("button")) {
			const action = words[button.dataset["action"] as Action];
			button.title = action;
			button.setAttribute("aria-label", fill(words.actionOn, { action, name: item.file.name }));
		}
	}

	return {
		element,
		show(item, speech) {
			const { words, language } = speech;
			const { status, file } = item;
			const bytesSent = item.upload?.bytesSent ?? 0;
			const shown = shownStatus(item, words);
			element.dataset["status"] = shown;
			// A long name is cut before its ending, which says what the file is.
			const [ending = ""] = /\.\w{1,5}$/.exec(file.name) ?? [];
			setText(nameStart, file.name.slice(0, file.name.length - ending.length));
			setText(nameEnd, ending);
			name.title = file.name;
			setText(detail, detailOf(item, speech));
			setText(replace, words.replace);
			replace.setAttribute("aria-label", fill(words.actionOn, { action: words.replace, name: file.name }));
			replace.hidden = status !== "waiting" || !item.upload?.canReplace;
			const sentPart = file.size > 0 ? bytesSent / file.size : 0;
			const part = shown === "processing" ? (item.video?.progress ?? 0) / 100 : sentPart;
			const percent = shown === "done" ? 100 : Math.floor(part * 100);
			bar.style.setProperty("--_share", `${percent}%`);
			track.setAttribute("aria-valuenow", `${percent}`);
			track.setAttribute("aria-label", file.name);
			const isIdle = isEnded(status) || status === "ready" || (status === "failed" && bytesSent === 0);
			track.hidden = isIdle && shown !== "processing";
			setText(share, track.hidden || percent === 0 ? "" : shareInWords(part, language));
			const sign: IconName =
				shown === "done" ? "check" : ["failed", "refused", "expired"].includes(shown) ? "warning" : "film";
			if (sign !== shownBadge) badge.replaceChildren(icon(sign));
			shownBadge = sign;
			showButtons(item, { words, language });
		},
	};
}

/** The status that is seen: that of the upload, and after it that of the video. */
function shownStatus(item: UploaderFile, words: UploaderWords): UploaderFile["status"] | "processing" {
	if (item.status !== "done" || item.video === null) return item.status;
	if (problemOf(item, words) !== null) return "failed";
	return isOver(item.video) ? "done" : "processing";
}

function detailOf(item: UploaderFile, { words, language }: Speech): string {
	const { status, upload, file } = item;
	const problem = problemOf(item, words);
	if (problem !== null) return problem;
	const total = bytesInWords(file.size, language);
	if (status === "waiting" && upload?.error) {
		if (isReelmillError(upload.error, "concurrent_upload_exists")) return words.waitingForOther;
		return fill(words.waitingUntil, { time: timeInWords(upload.retryAt ?? Date.now(), language) });
	}
	const anew = upload?.startedAnew ? ` · ${words.startedAnew}` : "";
	const progress = fill(words.progress, { sent: bytesInWords(upload?.bytesSent ?? 0, language, file.size), total });
	if (status === "retrying") return navigator.onLine ? words.retrying : words.offline;
	if (status === "uploading" && upload?.inOtherTab) return `${words.following} · ${progress}`;
	if (status === "uploading") {
		const secondsLeft = upload?.secondsLeft ?? null;
		if (secondsLeft === null) return `${progress}${anew}`;
		return `${progress} · ${fill(words.left, { time: secondsInWords(secondsLeft, language) })}${anew}`;
	}
	if (status === "paused") return `${words.paused} · ${progress}`;
	if (status === "done" && item.video && !isOver(item.video)) return words.processing;
	if (status === "done" && upload?.endedElsewhere && !item.video) return words.finished;
	const length = upload?.source?.duration;
	if (status === "done")
		return `${item.video ? words.available : words.done} · ${total}${length ? ` · ${lengthInWords(length)}` : ""}${anew}`;
	if (status === "waiting" || status === "ready") return `${words[status]} · ${total}`;
	return status === "cancelled" ? words.cancelled : words.preparing;
}
