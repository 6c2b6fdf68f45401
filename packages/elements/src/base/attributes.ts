/** Sets or removes an attribute: null, undefined and false remove it. */
export function reflect(element: Element, name: string, value: unknown): void {
	if (value === null || value === undefined || value === false) element.removeAttribute(name);
	else element.setAttribute(name, value === true ? "" : `${value}`);
}

/** The number that an attribute holds; undefined if it holds none. */
export function numberIn(element: Element, name: string): number | undefined {
	const text = element.getAttribute(name);
	const value = Number(text);
	return text === null || text.trim() === "" || Number.isNaN(value) ? undefined : value;
}
