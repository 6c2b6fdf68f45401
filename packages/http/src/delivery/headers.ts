import type { ServerResponse } from "node:http";
import { deliveryHeaders, listsOrigin } from "@reelmill/contracts";
import type { ServedFile } from "@reelmill/engine";
import { openDelivery } from "../headers/any-origin.ts";

/**
 * Lets scripts of any origin read the answer. Errors do so as well: otherwise CORS would tell a private video from an
 * unknown one.
 */
export function openToAll(response: ServerResponse): void {
	for (const [name, value] of Object.entries(openDelivery)) response.setHeader(name, value);
}

export type DescribeFile = (file: ServedFile, origin: string | undefined) => Readonly<Record<string, string>>;

/** Creates {@link describe} with a memory: the headers of a file that any origin may read are made once. */
export function createDescribeFile(): DescribeFile {
	const known = new WeakMap<ServedFile, Readonly<Record<string, string>>>();
	return (file, origin) => {
		if (file.corsOrigins.length > 0) return describe(file, origin);
		let described = known.get(file);
		if (described === undefined) {
			described = describe(file, origin);
			known.set(file, described);
		}
		return described;
	};
}

/** Returns the headers that say who may read the file, and who may cache it for how long. */
function describe(
	{ visibility, domainDigest, corsOrigins, etag, isFinal, isAdded }: ServedFile,
	origin: string | undefined,
): Record<string, string> {
	const isPublic = visibility === "public";
	const lasting = isPublic ? `public, max-age=${isAdded ? 60 : 86_400}` : "private, no-cache";
	const headers: Record<string, string> = {
		...openDelivery,
		"cache-control": isFinal ? lasting : `${visibility}, no-cache`,
		etag,
		"reelmill-domain": domainDigest,
	};
	if (!isPublic) headers["vary"] = "Authorization, Origin";
	if (corsOrigins.length === 0) return headers;
	if (isPublic) headers["vary"] = "Origin";
	if (origin !== undefined && listsOrigin(corsOrigins, origin)) headers["access-control-allow-origin"] = origin;
	else delete headers["access-control-allow-origin"];
	return headers;
}

/** The answer to a preflight. It is for any origin, does not depend on the video, and is good for 2 hours. */
export const preflightHeaders = {
	"access-control-allow-origin": "*",
	"access-control-allow-methods": "GET, HEAD",
	"access-control-allow-headers": "Authorization, Range, If-None-Match, If-Range, X-Request-Id",
	"access-control-max-age": "7200",
	...deliveryHeaders,
} as const;
