import { ReelmillError } from "@reelmill/client";

/**
 * Refuses what a browser sends for a page of another site, which would have the visitor's cookies. Browsers say where a
 * request comes from in `Sec-Fetch-Site`, older ones and those on plain http in `Origin`. A request with neither comes
 * from no browser, and has no cookies of anybody but its sender.
 * @throws {ReelmillError} `csrf_check_failed`
 */
export function assertSameSite(request: Request, allowedOrigins: readonly string[]): void {
	const origin = request.headers.get("origin");
	if (origin !== null && allowedOrigins.includes(origin)) return;
	const site = request.headers.get("sec-fetch-site");
	if (
		site === null ? origin === null || hostOf(origin) === ownHost(request) : site === "same-origin" || site === "none"
	)
		return;
	throw new ReelmillError("csrf_check_failed", {
		message: `A page of ${origin ?? "another site"} may not call this: name its origin in allowedOrigins if it is yours.`,
	});
}

const ownHost = (request: Request): string => request.headers.get("host") ?? new URL(request.url).host;

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Returns the CORS headers for a page of an allowed origin; none for any other. */
export function corsHeaders(request: Request, allowedOrigins: readonly string[]): Record<string, string> {
	if (allowedOrigins.length === 0) return {};
	const origin = request.headers.get("origin");
	if (origin === null || !allowedOrigins.includes(origin)) return { vary: "origin" };
	return {
		vary: "origin",
		"access-control-allow-origin": origin,
		"access-control-allow-credentials": "true",
		"access-control-expose-headers": "retry-after, x-request-id",
		...(request.method === "OPTIONS"
			? {
					"access-control-allow-methods": "POST",
					"access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "content-type",
					"access-control-max-age": "600",
				}
			: {}),
	};
}
