import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";

/**
 * Parses a URL of http or https with a host; returns null for anything else. The URL parser writes every form of an
 * IPv4 address in the plain form.
 */
export function parseHttpUrl(text: string, base?: URL): URL | null {
	const url = URL.canParse(text, base) ? new URL(text, base) : null;
	return url !== null && ["http:", "https:"].includes(url.protocol) && url.hostname !== "" ? url : null;
}

/**
 * Whether the URL's host is an address, in any form, that `rules` refuse. A name is no address: it is resolved on
 * connecting.
 */
export function hasBlockedAddress(url: URL, rules: AddressRules): boolean {
	const host = url.hostname.replace(/^\[|\]$/g, "");
	return isIP(host) !== 0 && !rules.allows(host);
}
