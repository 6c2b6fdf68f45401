/**
 * Returns the address of the service as it was given, once it can be one. Nothing is checked before the first call, so
 * that a program can be imported, and its image built, without its settings.
 * @throws {TypeError} when it is missing, or is no address of a service; each mistake has a sentence of its own
 */
export function checkBaseUrl(given: string | undefined): string {
	const baseUrl = given?.trim() ?? "";
	if (baseUrl === "")
		throw new TypeError(
			"baseUrl is missing: give the address of the service, such as https://video.example.com. Is the setting that holds it (REELMILL_URL in the guides) empty?",
		);
	if (!/^https?:/i.test(baseUrl))
		throw new TypeError(
			`baseUrl has no https:// at its beginning: write https://${baseUrl}, or http://${baseUrl} for a service on your machine, in place of ${baseUrl}.`,
		);
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (url === undefined)
		throw new TypeError(`baseUrl is no address such as https://video.example.com: ${JSON.stringify(baseUrl)}.`);
	const { href, origin, pathname } = url;
	const place = `${origin}${pathname}`;
	if (href !== place)
		throw new TypeError(`baseUrl has more than host and path, such as a query or a password: write ${place}.`);
	const [, before] = /^(.*?)(?:\/admin|\/internal)?\/v1\/?$/.exec(place) ?? [];
	if (before !== undefined)
		throw new TypeError(`baseUrl ends in /v1, which every call adds by itself: write ${before} in place of ${place}.`);
	return baseUrl;
}
