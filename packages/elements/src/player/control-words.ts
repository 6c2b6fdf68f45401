import { addTranslation, t } from "media-chrome/utils/i18n";
import type { ControlWords } from "../words/words.ts";

/** The languages of media-chrome's controls, each in a file that is loaded when a page is in it. */
const languages: Readonly<Record<string, () => Promise<unknown>>> = {
	ar: () => import("../words/control-words-arabic.ts").then(({ words }) => addTranslation("ar", words)),
	de: () => import("media-chrome/lang/de"),
	es: () => import("media-chrome/lang/es"),
	fr: () => import("media-chrome/lang/fr"),
};

/** What media-chrome names aloud once, in the language of that moment: an element, or the range in it. */
const namedOnce = {
	"media-time-display": "playback time",
	"media-time-range": "seek",
	"media-volume-range": "volume",
	"media-captions-button": "closed captions",
	"media-settings-menu-button": "settings",
} as const;
/** What it names anew when an attribute is set. */
const namedBy = {
	"media-mute-button": "mediavolumelevel",
	"media-seek-backward-button": "mediacurrenttime",
	"media-seek-forward-button": "mediacurrenttime",
	"media-airplay-button": "mediaisairplaying",
	"media-pip-button": "mediaispip",
	"media-fullscreen-button": "mediaisfullscreen",
} as const;

function nameControls(controls: HTMLElement): void {
	for (const [element, name] of Object.entries(namedOnce))
		for (const each of controls.querySelectorAll(element))
			(each.shadowRoot?.querySelector("input") ?? each).setAttribute("aria-label", t(name));
	for (const [element, attribute] of Object.entries(namedBy))
		for (const each of controls.querySelectorAll(element)) {
			const value = each.getAttribute(attribute);
			each.setAttribute(attribute, value ?? "");
			if (value === null) each.removeAttribute(attribute);
		}
}

/**
 * Lets the controls speak a language: English until its words are there, and where they are missing. `own` are words of
 * the page, in place of those of the package.
 */
export function loadControlWords(language: string, controls: HTMLElement, own: ControlWords | undefined): void {
	const [name = "en"] = language.toLowerCase().split("-");
	const wanted = JSON.stringify([name, own]);
	if (controls.dataset["language"] === wanted) return;
	controls.dataset["language"] = wanted;
	controls.lang = "en";
	nameControls(controls);
	const load = own ? async () => addTranslation(name, own) : languages[name];
	load?.().then(
		() => {
			if (controls.dataset["language"] !== wanted) return;
			controls.lang = name;
			nameControls(controls);
		},
		() => {},
	);
}
