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

/** What of a request the headers depend on. */
export type Asked = {
	readonly origin: string | undefined;
	/** Whether the address names an edit (`?v=2`). */
	readonly namesEdit: boolean;
};
export type DescribeFile = (file: ServedFile, asked: Asked) => Readonly<Record<string, string>>;

/** Creates {@link describe} with a memory: the headers of a file that any origin may read are made once. */
export function createDescribeFile(): DescribeFile {
	const known = new WeakMap<ServedFile, Readonly<Record<string, string>>>();
	return (file, asked) => {
		if (file.corsOrigins.length > 0 || asked.namesEdit) return describe(file, asked);
		let described = known.get(file);
		if (described === undefined) {
			described = describe(file, asked);
			known.set(file, described);
		}
		return described;
	};
}

/**
 * Returns the headers that say who may read the file, and who may cache it for how long. If the address names an edit and
 * the file is one of the first, another server has changed it, and this one will know within 2 s: nobody may keep the old
 * bytes under the new address.
 */
function describe(
	{ visibility, domainDigest, corsOrigins, etag, isFinal, isAdded }: ServedFile,
	{ origin, namesEdit }: Asked,
): Record<string, string> {
	const isPublic = visibility === "public";
	const publicly = isAdded ? "public, max-age=60" : namesEdit ? "public, no-cache" : "public, max-age=86400";
	const lasting = isPublic ? publicly : "private, no-cache";
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
