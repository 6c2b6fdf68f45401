import { styleSheet } from "../base/style-sheet.ts";

type Attach = HTMLElement["attachShadow"];

/**
 * Lets an element of media-chrome take its style sheets as constructed ones. It writes them as `<style>` into its
 * shadow root, which a content security policy without `'unsafe-inline'` blocks, and reads them back as `style.sheet`.
 * An empty mark that selectors find as `style`, and no browser applies, has the constructed sheet as its `sheet`.
 */
export function constructStyles(element: CustomElementConstructor | undefined): void {
	if (!element || Object.hasOwn(element.prototype, "attachShadow")) return;
	const attach: Attach = element.prototype.attachShadow;
	Object.defineProperty(element.prototype, "attachShadow", {
		configurable: true,
		value(this: HTMLElement, options: ShadowRootInit): ShadowRoot {
			const root = attach.call(this, options);
			const set = (html: string) => fillRoot(root, html);
			Object.defineProperties(root, {
				innerHTML: { configurable: true, set, get: () => "" },
				setHTMLUnsafe: { configurable: true, value: set },
			});
			return root;
		},
	});
}

const namespace = "urn:reelmill:constructed";

/** A template's document has no view, so nothing in it is applied, or refused, before it is moved. */
function fillRoot(root: ShadowRoot, html: string): void {
	const template = document.createElement("template");
	// A style attribute is refused as well, but a style that a script sets is not.
	template.innerHTML = html.replace(/(<[a-z][^<>]*?) style="/g, '$1 data-style="');
	const sheets = [...template.content.querySelectorAll("style")].map((style) => {
		// Each element changes rules of its own, so none shares its sheet with another.
		const sheet = new CSSStyleSheet({ media: style.media });
		sheet.replaceSync(style.textContent ?? "");
		// An element of another namespace is no style to the browser, so the policy is not asked.
		const mark = document.createElementNS(namespace, "style");
		for (const { name, value } of style.attributes) mark.setAttribute(name, value);
		style.replaceWith(mark);
		return sheet;
	});
	const content = document.importNode(template.content, true);
	for (const [index, mark] of content.querySelectorAll("style").entries()) {
		const sheet = sheets[index];
		Object.defineProperty(mark, "sheet", { value: sheet });
		if (!sheet || !mark.hasAttribute("media")) continue;
		// Menus switch their layouts by the media of a style.
		new MutationObserver(() => {
			sheet.media.mediaText = mark.getAttribute("media") ?? "";
		}).observe(mark, { attributes: true });
	}
	for (const each of content.querySelectorAll<HTMLElement>("[data-style]")) {
		each.style.cssText = each.dataset["style"] ?? "";
		delete each.dataset["style"];
	}
	root.replaceChildren(content);
	root.adoptedStyleSheets = [...sheets, styleSheet(quiet)];
}

/** Whoever wants less motion gets none. A menu takes the focus when its transition ends, so it has to end. */
const quiet =
	"@media (prefers-reduced-motion: reduce) { :host, * { transition-duration: .01ms !important; transition-delay: 0s !important; } }";
