import { isUuidV4, ReelmillError } from "@reelmill/contracts";

/**
 * The video and the file that a delivery path names. `path` is as it was sent: a traversal in any encoding is still to
 * be seen in it. Throws `invalid_path` for an id that isn't a UUIDv4, for an empty path and one of more than 2048
 * characters, and for a part that is empty, `.`, `..`, or of other characters than `[A-Za-z0-9._-]` once decoded.
 */
export function parseDeliveryPath(path: string): { videoId: string; path: string } {
	if (path.length > longestPath) throw new ReelmillError("invalid_path");
	const [, id, file] = usual.exec(path) ?? [];
	if (id !== undefined && file !== undefined && isUuidV4(id)) return { videoId: id, path: file };
	const [videoId = "", ...parts] = path.slice("/videos/".length).split("/").map(decode);
	if (!isUuidV4(videoId) || parts.length === 0 || !parts.every(isPlain)) throw new ReelmillError("invalid_path");
	return { videoId, path: parts.join("/") };
}

/** A path of 512 characters, each of them escaped, and what stands before it. */
const longestPath = 2048;

/** As playlists and players write it: nothing to decode, and no part that begins with a dot. */
const usual = /^\/videos\/([0-9a-f-]{36})\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*)$/;

const isPlain = (part: string): boolean => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..";

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch (error) {
		throw new ReelmillError("invalid_path", { cause: error });
	}
}
