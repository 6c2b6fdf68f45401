import { languageOf, wordsOf } from "../words/languages.ts";
import type { Words } from "../words/words.ts";
import { HtmlElement } from "./html-element.ts";
import { styleSheet } from "./style-sheet.ts";

/** An element with a shadow root, its style sheet, and the words of the language that it stands in. */
export abstract class LocalElement extends HtmlElement {
	// Fields that are only declared: one that is made would look like what a page has set before.
	declare protected readonly root: ShadowRoot;
	/** The language of the nearest `lang` attribute. */
	declare protected language: string;
	declare protected allWords: Words;
	#observer: MutationObserver | undefined;
	/** What a page set before the element was defined. It hides the accessors of the class until it is set again. */
	readonly #early: Record<string, unknown>;

	constructor(styles: string) {
		super();
		this.#early = { ...(this as object) };
		for (const name of Object.keys(this.#early)) Reflect.deleteProperty(this, name);
		this.language = "en";
		this.root = this.attachShadow({ mode: "open" });
		this.root.adoptedStyleSheets = [styleSheet(styles)];
		this.allWords = wordsOf("en").words;
	}

	/** Writes what is shown anew, in the words of now. */
	protected abstract render(): void;

	connectedCallback(): void {
		Object.assign(this, this.#early);
		for (const name of Object.keys(this.#early)) delete this.#early[name];
		this.#observer = new MutationObserver(() => this.#listenToLanguage());
		for (const each of [this, document.documentElement])
			this.#observer.observe(each, { attributes: true, attributeFilter: ["lang", "dir"] });
		this.#listenToLanguage();
	}

	disconnectedCallback(): void {
		this.#observer?.disconnect();
	}

	#listenToLanguage(): void {
		this.language = languageOf(this);
		const { words, whenLoaded } = wordsOf(this.language);
		this.allWords = words;
		// A language that can't be loaded leaves the English words.
		whenLoaded?.then(
			() => this.isConnected && this.#listenToLanguage(),
			() => {},
		);
		this.render();
	}
}
