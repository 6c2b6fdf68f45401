import { parseHttpUrl } from "../guard/http-url.ts";

/** Parses a URL of http or https without a user name or password; returns null for anything else. */
export function parseWebhookUrl(text: string): URL | null {
	const url = parseHttpUrl(text);
	return url?.username || url?.password ? null : url;
}
