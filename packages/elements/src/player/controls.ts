import "media-chrome/media-controller";
import "media-chrome/media-control-bar";
import "media-chrome/media-play-button";
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
import "media-chrome/menu/media-captions-menu";
import { make } from "../base/dom.ts";
import { constructStyles } from "./constructed-styles.ts";

const names = [
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
export type ControlTexts = { speed: string; quality: string; captions: string };
/** The controls around a video element. */
export type Controls = {
	readonly element: HTMLElement;
	/** Says the name of each row of the settings, and whether it is there. */
	show(texts: ControlTexts, has: { quality: boolean; captions: boolean }): void;
};

/** Makes the controls. `centre` and `dialog` lie over the picture. */
export function createControls(media: HTMLVideoElement, centre: Node, dialog: Node): Controls {
	for (const name of names) constructStyles(customElements.get(`media-${name}`));
	media.slot = "media";
	const row = (menu: string) => {
		const text = make("span");
		const item = make(
			"media-settings-menu-item",
			{},
			text,
			make(menu, { slot: "submenu", hidden: true }, make("span", { slot: "title" })),
		);
		const title = item.querySelector<HTMLElement>("[slot=title]");
		return {
			item,
			say(words: string) {
				text.textContent = words;
				if (title) title.textContent = words;
			},
		};
	};
	const [speed, quality, captions] = [
		row("media-playback-rate-menu"),
		row("media-rendition-menu"),
		row("media-captions-menu"),
	];
	// A time line runs from left to right in every language, as the keys of the arrows do.
	const element = make(
		"media-controller",
		{ part: "controller", dir: "ltr", exportparts: "top, middle, bottom, layer, centered-layer" },
		media,
		make("div", { slot: "centered-chrome", class: "centre", noautohide: true }, centre),
		dialog,
		make("media-loading-indicator", { slot: "centered-chrome", noautohide: true, part: "loading" }),
		make(
			"media-settings-menu",
			{ hidden: true, anchor: "auto", part: "settings" },
			speed.item,
			quality.item,
			captions.item,
		),
		make("media-control-bar", { part: "time-bar", class: "time" }, make("media-time-range", { part: "time-range" })),
		make(
			"media-control-bar",
			{ part: "control-bar" },
			make("media-play-button", { part: "control play" }),
			make("media-mute-button", { part: "control mute" }),
			make("media-volume-range", { part: "control volume" }),
			make("media-time-display", { part: "control time-display", showduration: true, notoggle: true }),
			make("span", { class: "space" }),
			make("slot", { name: "control" }),
			make("media-captions-button", { part: "control captions" }),
			make("media-settings-menu-button", { part: "control settings-button" }),
			make("media-pip-button", { part: "control pip" }),
			make("media-fullscreen-button", { part: "control fullscreen" }),
		),
	);
	const captionsButton = element.querySelector("media-captions-button");
	return {
		element,
		show(texts, has) {
			// The button says whether it is checked, which only a switch may.
			captionsButton?.setAttribute("role", "switch");
			// A menu has items alone, also the way back out of it.
			for (const menu of element.querySelectorAll("media-settings-menu, [slot=submenu]"))
				for (const back of menu.shadowRoot?.querySelectorAll("button") ?? []) back.setAttribute("role", "menuitem");
			speed.say(texts.speed);
			quality.say(texts.quality);
			captions.say(texts.captions);
			quality.item.hidden = !has.quality;
			captions.item.hidden = !has.captions;
			element.toggleAttribute("data-captions", has.captions);
		},
	};
}
