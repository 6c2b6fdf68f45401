const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text made safe for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Escaped text in which `code` between backticks is set as code. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** A name as part of an element's id. */
export const anchor = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
