import { ALLOWED_HEADERS, ALLOWED_METHODS, EXPOSED_HEADERS } from "@tus/utils";

/** The answer to a preflight: it carries no token, so it is for any origin; good for 2 hours. */
export const preflightHeaders = {
	"access-control-allow-origin": "*",
	"access-control-allow-methods": ALLOWED_METHODS,
	"access-control-allow-headers": `${ALLOWED_HEADERS}, X-Request-Id`,
	"access-control-max-age": "7200",
	"tus-resumable": "1.0.0",
	"tus-version": "1.0.0",
	"tus-extension": "creation,creation-with-upload,expiration,termination",
} as const;

export const exposedHeaders = `${EXPOSED_HEADERS}, Upload-Expires, Upload-Complete, Retry-After, X-Request-Id, WWW-Authenticate`;

/** Whose script may read the answer, by the domain's `cors_origins`; none listed means any. Undefined: no one's. */
export function allowedOrigin(corsOrigins: readonly string[], origin: string | undefined): string | undefined {
	if (corsOrigins.length === 0) return "*";
	return origin !== undefined && corsOrigins.includes(origin) ? origin : undefined;
}
