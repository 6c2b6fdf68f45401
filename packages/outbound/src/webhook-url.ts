import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";

/**
 * The URL when it is one of http or https without a user name or password; null when it is none. The URL parser makes
 * every way to write an IPv4 address plain.
 */
export function parseWebhookUrl(text: string): URL | null {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname === "" || url.username || url.password)
		return null;
	return url;
}

/**
 * Whether the URL's host is an address, in any form, that `rules` refuse. A name is no address: it is resolved when it
 * is connected to.
 */
export function hasBlockedAddress(url: URL, rules: AddressRules): boolean {
	const host = url.hostname.replace(/^\[|\]$/g, "");
	return isIP(host) !== 0 && !rules.allows(host);
}
