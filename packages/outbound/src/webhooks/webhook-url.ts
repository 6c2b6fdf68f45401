import { isIP } from "node:net";
import type { AddressRules } from "../guard/address-rules.ts";

/**
 * Parses a URL of http or https without a user name or password; returns null for anything else. The URL parser writes
 * every form of an IPv4 address in the plain form.
 */
export function parseWebhookUrl(text: string): URL | null {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname === "" || url.username || url.password)
		return null;
	return url;
}

/**
 * Whether the URL's host is an address, in any form, that `rules` refuse. A name is no address: it is resolved on
 * connecting.
 */
export function hasBlockedAddress(url: URL, rules: AddressRules): boolean {
	const host = url.hostname.replace(/^\[|\]$/g, "");
	return isIP(host) !== 0 && !rules.allows(host);
}
