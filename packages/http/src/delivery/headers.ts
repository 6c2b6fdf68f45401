import type { ServerResponse } from "node:http";
import type { DeliveryFile } from "@reelmill/engine";

const exposed = "Content-Range, Content-Length, Accept-Ranges, ETag, X-Request-Id, Retry-After";

/** What an answer to any origin carries; errors do, so that CORS can't tell a private video from an unknown one. */
export function openToAll(response: ServerResponse): void {
	response.setHeader("access-control-allow-origin", "*");
	response.setHeader("access-control-expose-headers", exposed);
	response.setHeader("x-content-type-options", "nosniff");
}

/** Who may read the file's answer, and who may keep it for how long. */
export function describeFile(response: ServerResponse, { visibility, corsOrigins, etag }: DeliveryFile, origin: string | undefined): void {
	const isPublic = visibility === "public";
	if (corsOrigins.length > 0) {
		if (origin !== undefined && corsOrigins.includes(origin)) response.setHeader("access-control-allow-origin", origin);
		else response.removeHeader("access-control-allow-origin");
	}
	response.setHeader("cache-control", isPublic ? "public, max-age=86400" : "private, no-cache");
	if (!isPublic) response.setHeader("vary", "Authorization, Origin");
	else if (corsOrigins.length > 0) response.setHeader("vary", "Origin");
	response.setHeader("etag", etag);
}

/** The answer to a preflight: for any origin, without a look at the video, good for 2 hours. */
export const preflightHeaders = {
	"access-control-allow-origin": "*",
	"access-control-allow-methods": "GET, HEAD",
	"access-control-allow-headers": "Authorization, Range, If-None-Match, If-Range, X-Request-Id",
	"access-control-max-age": "7200",
} as const;
