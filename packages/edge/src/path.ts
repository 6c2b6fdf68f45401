/** What an edge keeps answers for: a file of a video. */
export type DeliveryPath = {
	readonly videoId: string;
	/** The whole path, without the query. */
	readonly path: string;
};

/**
 * Returns the video that a path names, if it is written as playlists and players write it: an id in lower case, nothing
 * escaped, no empty part and none that begins with a dot. Returns null for all other spellings: only the service says
 * what they mean, and nothing is kept of them. `target` is the path as the client sent it, with its query.
 */
export function parseDeliveryPath(target: string): DeliveryPath | null {
	const [path = ""] = target.split("?", 1);
	return path.length <= longestPath && usual.test(path) ? { videoId: path.slice(idAt, idAt + 36), path } : null;
}

const longestPath = 512;
const usual =
	/^\/videos\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
const idAt = "/videos/".length;

/**
 * Returns what the service is asked for in the place of `target`, or null if an edge doesn't serve it. The addresses of
 * a public video's copies, `<public_base_url>/<key_prefix>/public/<video>/<publication>/...`, lead to the same files
 * at the service, which knows whether the video is public.
 */
export function targetAtService(target: string): string | null {
	const copied = target.length <= longestCopied ? copy.exec(target) : null;
	if (copied !== null) return `/videos/${copied[1]}${copied[2]}`;
	return target.startsWith("/videos/") ? target : null;
}

const longestCopied = 2048;
const copy = /^[^?]*\/public\/([0-9a-f-]{36})\/[0-9a-f-]{36}((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+(?:\?.*)?)$/;
