type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void) | undefined>>;

/**
 * Makes an element. A function is a listener of the event that its attribute names, such as `click`; true is an empty
 * attribute; false and undefined are none.
 */
export function make<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes?: Attributes,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name];
export function make(name: string, attributes?: Attributes, ...children: readonly (Node | string)[]): HTMLElement;
export function make(name: string, attributes: Attributes = {}, ...children: readonly (Node | string)[]): HTMLElement {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) {
		if (typeof value === "function") element.addEventListener(key, value);
		else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
	}
	element.append(...children);
	return element;
}

/** Changes a text only if it is another one, so that a screen reader is not told twice. */
export function setText(element: Element, text: string): void {
	if (element.textContent !== text) element.textContent = text;
}
