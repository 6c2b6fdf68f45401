import { english } from "./english.ts";
import type { Words } from "./words.ts";

/** The languages that come with the package, each in a file of its own that is loaded when a page is in it. */
const languages: Readonly<Record<string, () => Promise<{ words: Words }>>> = {
	ar: () => import("./arabic.ts"),
	de: () => import("./german.ts"),
	es: () => import("./spanish.ts"),
	fr: () => import("./french.ts"),
};
const loaded = new Map<string, Words>([["en", english]]);

/** The language of an element: that of the nearest `lang` attribute, past shadow roots; `en` if there is none. */
export function languageOf(element: Element): string {
	for (let at: Element | null = element; at !== null; ) {
		const found: Element | null = at.closest("[lang]");
		if (found) return found.getAttribute("lang") || "en";
		const root: Node = at.getRootNode();
		at = root instanceof ShadowRoot ? root.host : null;
	}
	return "en";
}

/**
 * Returns the words of a language, and `whenLoaded` if they are still to be loaded: English ones stand for them until
 * then, and for a language that the package does not have.
 */
export function wordsOf(language: string): { words: Words; whenLoaded?: Promise<unknown> } {
	const [name = "en"] = language.toLowerCase().split("-");
	const words = loaded.get(name);
	const load = languages[name];
	if (words || !load) return { words: words ?? english };
	return { words: english, whenLoaded: load().then((module) => loaded.set(name, module.words)) };
}
