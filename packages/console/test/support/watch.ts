import type { Page } from "playwright-core";

/** What a page did that none of the console's may do. */
export type Findings = {
	unexpected(): readonly string[];
};

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
		if (message.type() === "error" && /Content Security Policy|Minified React error/.test(message.text()))
			found.push(message.text());
	});
	page.on("pageerror", (error) => found.push(`an error that nothing caught: ${error.stack ?? error.message}`));
	return { unexpected: () => found };
}
