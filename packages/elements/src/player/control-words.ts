import { addTranslation } from "media-chrome/utils/i18n";

/** The languages of media-chrome's controls, each in a file that is loaded when a page is in it. */
const languages: Readonly<Record<string, () => Promise<unknown>>> = {
	ar: () => import("./control-words-arabic.ts").then(({ words }) => addTranslation("ar", words)),
	de: () => import("media-chrome/lang/de"),
	es: () => import("media-chrome/lang/es"),
	fr: () => import("media-chrome/lang/fr"),
};

/** Lets the controls speak a language: English until its words are there, and if there are none. */
export function loadControlWords(language: string, controls: HTMLElement): void {
	const [name = "en"] = language.toLowerCase().split("-");
	if (controls.dataset["language"] === name) return;
	controls.dataset["language"] = name;
	controls.lang = "en";
	languages[name]?.().then(
		() => {
			if (controls.dataset["language"] === name) controls.lang = name;
		},
		() => {},
	);
}
