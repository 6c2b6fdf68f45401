import type { Page } from "playwright-core";

/** What a page did that none of the console's may do. */
export type Findings = {
	unexpected(): readonly string[];
};

/** The hash of an empty style: axe copies what selectors find as `style`, which has no text, into one of its own. */
const emptyStyle = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/**
 * Notes from now on each request of a page to another host, each violation of its content security policy, and each
 * error that its scripts did not catch.
 */
export function watch(page: Page, origin: string): Findings {
	const found: string[] = [];
	page.on("request", (request) => {
		const url = new URL(request.url());
		const isOwn = url.origin === origin || url.protocol === "blob:" || url.protocol === "data:";
		if (!isOwn) found.push(`a request to ${request.url()}`);
	});
	page.on("console", (message) => {
		const text = message.text();
		if (message.type() !== "error" || text.includes(emptyStyle)) return;
		if (/Content Security Policy|Minified React error/.test(text)) found.push(text);
	});
	page.on("pageerror", (error) => found.push(`an error that nothing caught: ${error.stack ?? error.message}`));
	return { unexpected: () => found };
}
