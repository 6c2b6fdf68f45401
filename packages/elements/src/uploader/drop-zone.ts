import { make, setText } from "../base/dom.ts";
import { icon } from "../base/icons.ts";
import { fill, type UploaderWords } from "../words/words.ts";
import { bytesInWords } from "./amounts.ts";

export type DropZoneState = {
	words: UploaderWords;
	language: string;
	multiple: boolean;
	disabled: boolean;
	/** Whether the camera is offered. */
	camera: boolean;
	accept: string;
	maxBytes: number | undefined;
	isOver: boolean;
};

/** The part of the uploader that takes files. */
export type DropZone = {
	readonly element: HTMLElement;
	/** What has the focus when an item that had it is gone. */
	readonly choose: HTMLButtonElement;
	show(state: DropZoneState): void;
};

/** Makes the drop zone. `record` is called when the camera is wanted. */
export function createDropZone(take: (files: File[]) => void, record: () => void): DropZone {
	const input = make("input", {
		type: "file",
		tabindex: "-1",
		"aria-hidden": "true",
		hidden: true,
		change: () => {
			const files = [...(input.files ?? [])];
			// So that the same file can be chosen again.
			input.value = "";
			if (files.length > 0) take(files);
		},
	});
	const prompt = make("span");
	const hint = make("span");
	const chooseText = make("span");
	const recordText = make("span");
	const choose = make(
		"button",
		{ type: "button", part: "button primary choose", click: () => input.click() },
		make("slot", { name: "choose" }, chooseText),
	);
	const camera = make(
		"button",
		{ type: "button", part: "button record", click: record },
		icon("camera"),
		make("slot", { name: "record" }, recordText),
	);
	const hintBox = make("p", { part: "hint" }, make("slot", { name: "hint" }, hint));
	const element = make(
		"div",
		{ part: "drop-zone" },
		make("span", { part: "sign" }, make("slot", { name: "sign" }, icon("upload"))),
		make("p", { part: "prompt" }, make("slot", { name: "prompt" }, prompt)),
		make("div", { class: "choices" }, choose, camera),
		hintBox,
		input,
	);
	return {
		element,
		choose,
		show({ words, language, multiple, disabled, accept, maxBytes, isOver, ...state }) {
			setText(prompt, isOver ? words.dropNow : multiple ? words.drop : words.dropOne);
			setText(chooseText, multiple ? words.choose : words.chooseOne);
			setText(recordText, words.record);
			setText(hint, maxBytes ? fill(words.upToSize, { size: bytesInWords(maxBytes, language) }) : "");
			element.toggleAttribute("data-over", isOver);
			input.multiple = multiple;
			input.accept = accept;
			choose.disabled = disabled;
			camera.disabled = disabled;
			camera.hidden = !state.camera;
		},
	};
}
