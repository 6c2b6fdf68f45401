const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Escapes a text and marks what stands between backticks as code. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** Makes a part of an element's id from a name. */
export const anchor = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** Marks up paragraphs, headings (`## `) and lists (`- `), each after an empty line. */
export const article = (text: string): string =>
	text
		.split("\n\n")
		.map((part) => {
			if (part.startsWith("## ")) return `<h4>${prose(part.slice(3))}</h4>`;
			if (!part.startsWith("- ")) return `<p>${prose(part)}</p>`;
			const items = part.split("\n").map((line) => `<li>${prose(line.slice(2))}</li>`);
			return `<ul>${items.join("")}</ul>`;
		})
		.join("\n");
