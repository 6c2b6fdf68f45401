/**
 * The base of every element. On a server, where there are no elements, it is an empty class: the import is harmless.
 */
export const HtmlElement: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/** Defines an element once. Does nothing on a server, or if the page has the element already. */
export function define(name: string, element: CustomElementConstructor): void {
	const { customElements } = globalThis;
	if (customElements && !customElements.get(name)) customElements.define(name, element);
}
