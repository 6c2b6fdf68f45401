/**
 * Returns an origin as it is compared: scheme, host and port in their one form, without the scheme's own port. Returns
 * `null` for a text that is no origin of a web page, as one with a path is none.
 * @example
 * ```ts
 * import { canonicalOrigin } from "@reelmill/contracts";
 *
 * console.log(canonicalOrigin("https://Example.com:443")); // => https://example.com
 * console.log(canonicalOrigin("https://example.com/videos")); // => null
 * ```
 */
export function canonicalOrigin(text: string): string | null {
	if (!/^https?:\/\/[^/?#\\@*\s]+$/i.test(text) || !URL.canParse(text)) return null;
	const { origin, pathname, username } = new URL(text);
	return pathname === "/" && username === "" ? origin : null;
}

/**
 * Tells whether an origin is among those that a domain lists. They are compared by scheme, host and port.
 * @example
 * ```ts
 * import { listsOrigin } from "@reelmill/contracts";
 *
 * console.log(listsOrigin(["https://Example.com:443"], "https://example.com")); // => true
 * ```
 */
export function listsOrigin(listed: readonly string[], origin: string): boolean {
	if (listed.includes(origin)) return true;
	const asked = canonicalOrigin(origin);
	return asked !== null && listed.some((one) => canonicalOrigin(one) === asked);
}
