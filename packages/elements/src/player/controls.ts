import "media-chrome/media-controller";
import "media-chrome/media-control-bar";
import "media-chrome/media-airplay-button";
import "media-chrome/media-play-button";
import "media-chrome/media-seek-backward-button";
import "media-chrome/media-seek-forward-button";
import "media-chrome/media-mute-button";
import "media-chrome/media-volume-range";
import "media-chrome/media-time-display";
import "media-chrome/media-time-range";
import "media-chrome/media-captions-button";
import "media-chrome/media-pip-button";
import "media-chrome/media-fullscreen-button";
import "media-chrome/media-loading-indicator";
import "media-chrome/menu/media-settings-menu";
import "media-chrome/menu/media-settings-menu-button";
import "media-chrome/menu/media-settings-menu-item";
import "media-chrome/menu/media-playback-rate-menu";
import "media-chrome/menu/media-rendition-menu";
import "media-chrome/menu/media-audio-track-menu";
import "media-chrome/menu/media-captions-menu";
import type { Chapter } from "@reelmill/browser/player";
import { make, setText } from "../base/dom.ts";
import { icon } from "../base/icons.ts";
import { fill } from "../words/words.ts";
import { offerChapters } from "./chapters.ts";
import { constructStyles } from "./constructed-styles.ts";

const names = [
	"airplay-button",
	"audio-track-menu",
	"captions-button",
	"captions-menu",
	"chrome-dialog",
	"chrome-menu",
	"chrome-menu-item",
	"control-bar",
	"controller",
	"error-dialog",
	"fullscreen-button",
	"gesture-receiver",
	"keyboard-shortcuts-dialog",
	"loading-indicator",
	"mute-button",
	"pip-button",
	"play-button",
	"playback-rate-menu",
	"preview-chapter-display",
	"preview-thumbnail",
	"preview-time-display",
	"rendition-menu",
	"seek-backward-button",
	"seek-forward-button",
	"settings-menu",
	"settings-menu-button",
	"settings-menu-item",
	"text-display",
	"time-display",
	"time-range",
	"tooltip",
	"volume-range",
];

/** What the player's controls say besides the words of media-chrome. */
export type ControlTexts = Record<
	"speed" | "quality" | "captions" | "sound" | "chapters" | "chapter" | "audioOnly" | "back",
	string
>;
/** Which rows of the settings are there, and whether the sound is played alone. */
export type ControlState = {
	quality: boolean;
	captions: boolean;
	sound: boolean;
	/** Whether a television may play it: it sends no playback key. */
	airPlay: boolean;
	audioOnly: boolean | null;
	direction: string;
};
/** The controls around a video element. */
export type Controls = {
	readonly element: HTMLElement;
	/** Offers these chapters in a menu, and marks them on the time line. */
	showChapters(chapters: readonly Chapter[]): void;
	/** Says the name of each row of the settings, and whether it is there. */
	show(texts: ControlTexts, state: ControlState): void;
};

/**
 * Makes the controls. `centre` and `dialog` lie over the picture. `setAudioOnly` is called when the sound alone is
 * wanted, or the picture again.
 */
export function createControls(
	media: HTMLVideoElement,
	{ centre, dialog, setAudioOnly }: { centre: Node; dialog: Node; setAudioOnly: (audioOnly: boolean) => void },
): Controls {
	for (const name of names) constructStyles(customElements.get(`media-${name}`));
	media.slot = "media";
	const seek = (way: "backward" | "forward") =>
		make(
			`media-seek-${way}-button`,
			{ part: `control seek-${way}`, seekoffset: "10" },
			icon(way === "backward" ? "backward" : "ahead", "icon"),
		);
	const row = (menu: string, attributes = {}) => {
		const text = make("span");
		const item = make(
			"media-settings-menu-item",
			{},
			text,
			make(
				menu,
				{ slot: "submenu", hidden: true, ...attributes },
				icon("back", "back-icon"),
				make("span", { slot: "title" }),
			),
			icon("forward", "suffix"),
		);
		const title = item.querySelector<HTMLElement>("[slot=title]");
		return {
			item,
			say(words: string, back: string) {
				setText(text, words);
				if (title) setText(title, words);
				// A menu has items alone, also the way back out of it.
				const button = item.querySelector("[slot=submenu]")?.shadowRoot?.querySelector("button");
				button?.setAttribute("role", "menuitem");
				button?.setAttribute("aria-label", fill(back, { name: words }));
			},
		};
	};
	const [speed, quality, captions, sound, chapters] = [
		row("media-playback-rate-menu", { rates: "0.5 0.75 1 1.25 1.5 2" }),
		row("media-rendition-menu"),
		row("media-captions-menu"),
		row("media-audio-track-menu"),
		row("media-chrome-menu"),
	];
	const chapterMenu = chapters.item.querySelector<HTMLElement>("[slot=submenu]") ?? chapters.item;
	const offered = offerChapters(media, chapterMenu);
	let hasChapters = false;
	let listed: readonly Chapter[] = [];
	let chapterName = "";
	const soundText = make("span");
	const soundAlone = make("media-chrome-menu-item", { type: "checkbox" }, soundText, icon("check", "suffix"));
	let isSoundOnly: boolean | null = null;
	// The menu does not tell when its last checked item is no longer checked.
	new MutationObserver(() => {
		const isChecked = soundAlone.ariaChecked === "true";
		if (isSoundOnly !== null && isChecked !== isSoundOnly) setAudioOnly(isChecked);
	}).observe(soundAlone, { attributes: true, attributeFilter: ["aria-checked"] });
	const settings = make("media-settings-menu", { hidden: true, anchor: "auto", part: "settings" }, speed.item);
	// A time line runs from left to right in every language, as the keys of the arrows do.
	const element = make(
		"media-controller",
		{ part: "controller", dir: "ltr", exportparts: "top, middle, bottom, layer, centered-layer" },
		media,
		make(
			"div",
			{ slot: "centered-chrome", class: "centre", noautohide: true },
			seek("backward"),
			centre,
			seek("forward"),
		),
		dialog,
		make("media-loading-indicator", { slot: "centered-chrome", noautohide: true, part: "loading" }),
		settings,
		make("div", { class: "veil" }),
		make("media-control-bar", { part: "time-bar", class: "time" }, make("media-time-range", { part: "time-range" })),
		make(
			"media-control-bar",
			{ part: "control-bar" },
			make("media-play-button", { part: "control play" }),
			seek("backward"),
			seek("forward"),
			make("media-mute-button", { part: "control mute" }),
			make("media-volume-range", { part: "control volume" }),
			make("media-time-display", { part: "control time-display", showduration: true, notoggle: true }),
			make("span", { class: "space" }),
			make("slot", { name: "control" }),
			make("media-captions-button", { part: "control captions" }),
			make("media-airplay-button", { part: "control airplay" }),
			make("media-settings-menu-button", { part: "control settings-button" }, icon("gear", "icon")),
			make("media-pip-button", { part: "control pip" }),
			make("media-fullscreen-button", { part: "control fullscreen" }),
		),
	);
	const captionsButton = element.querySelector("media-captions-button");
	return {
		element,
		showChapters(list) {
			listed = list;
			hasChapters = list.length > 0;
			element.toggleAttribute("data-chapters", hasChapters);
			offered.show(list, chapterName);
		},
		show(texts, { quality: hasQuality, captions: hasCaptions, sound: hasSounds, airPlay, audioOnly, direction }) {
			// The button says whether it is checked, which only a switch may.
			captionsButton?.setAttribute("role", "switch");
			// The settings are the first menu: their own way back is never shown, but it is there.
			const back = settings.shadowRoot?.querySelector("button");
			back?.setAttribute("role", "menuitem");
			back?.setAttribute("aria-label", fill(texts.back, { name: texts.speed }));
			settings.dir = direction;
			speed.say(texts.speed, texts.back);
			quality.say(texts.quality, texts.back);
			captions.say(texts.captions, texts.back);
			sound.say(texts.sound, texts.back);
			chapters.say(texts.chapters, texts.back);
			if (texts.chapter !== chapterName) {
				chapterName = texts.chapter;
				offered.show(listed, chapterName);
			}
			setText(soundText, texts.audioOnly);
			isSoundOnly = audioOnly;
			soundAlone.ariaChecked = `${audioOnly === true}`;
			// The arrow keys would stop at a row that is hidden.
			const rows = hasChapters ? [chapters.item, speed.item] : [speed.item];
			if (hasQuality) rows.push(quality.item);
			if (hasCaptions) rows.push(captions.item);
			if (hasSounds) rows.push(sound.item);
			if (audioOnly !== null) rows.push(soundAlone);
			if (rows.length !== settings.children.length || rows.some((each, index) => settings.children[index] !== each))
				settings.replaceChildren(...rows);
			element.toggleAttribute("data-captions", hasCaptions);
			element.toggleAttribute("data-airplay", airPlay);
		},
	};
}
