import { canonicalId, isUuidV4, ReelmillError } from "@reelmill/contracts";

/**
 * Returns the video and the file that a delivery path names. `path` must be as the client sent it, so that a traversal
 * in any encoding is still visible. The id is in lower case, in whatever case it was sent.
 *
 * @throws {ReelmillError} `invalid_path` when the id is no UUIDv4; when the path is empty or longer than 2048
 * characters; when a decoded part is empty, `.`, `..`, or has characters other than `[A-Za-z0-9._-]`.
 */
export function parseDeliveryPath(path: string): { videoId: string; path: string } {
	if (path.length > longestPath) throw new ReelmillError("invalid_path");
	if (usual.test(path)) return { videoId: path.slice(idAt, fileAt - 1), path: path.slice(fileAt) };
	const [sent = "", ...parts] = path.slice(idAt).split("/").map(decode);
	const videoId = canonicalId(sent);
	if (!isUuidV4(videoId) || parts.length === 0 || !parts.every(isPlain)) throw new ReelmillError("invalid_path");
	return { videoId, path: parts.join("/") };
}

/** Room for a path of 512 characters, each of them escaped, and for what stands before it. */
const longestPath = 2048;

/** A path as playlists and players write it: nothing is escaped, and no part begins with a dot. */
const usual =
	/^\/videos\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
const idAt = "/videos/".length;
const fileAt = idAt + 36 + 1;

const isPlain = (part: string): boolean => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..";

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch (error) {
		throw new ReelmillError("invalid_path", { cause: error });
	}
}
