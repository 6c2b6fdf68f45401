import { listsOrigin } from "@reelmill/contracts";
import { ALLOWED_HEADERS, ALLOWED_METHODS } from "@tus/utils";

/** The answer to a preflight. It is for any origin, because a preflight carries no token, and good for 2 hours. */
export const preflightHeaders = {
	"access-control-allow-origin": "*",
	"access-control-allow-methods": ALLOWED_METHODS,
	"access-control-allow-headers": `${ALLOWED_HEADERS}, X-Request-Id`,
	"access-control-max-age": "7200",
	"tus-resumable": "1.0.0",
	"tus-version": "1.0.0",
	"tus-extension": "creation,creation-with-upload,expiration,termination",
} as const;

/**
 * Returns the origin whose scripts may read the answer, by the domain's `cors_origins`: any if none is listed. Returns
 * undefined if no origin may read it.
 */
export function allowedOrigin(corsOrigins: readonly string[], origin: string | undefined): string | undefined {
	if (corsOrigins.length === 0) return "*";
	return origin !== undefined && listsOrigin(corsOrigins, origin) ? origin : undefined;
}
