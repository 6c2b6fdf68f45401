import { ReelmillError } from "@reelmill/contracts";
import type { PlaybackNoun, PlaybackTarget } from "../playback/index.ts";
import type { ServedVideo, ServedVideos } from "./served-videos.ts";

/**
 * Returns the video if this Authorization header opens it, and at once if that is known already. A public video needs
 * no key. An unknown video answers exactly as a private one.
 *
 * @throws {ReelmillError} `playback_key_required` when there is no key; `playback_key_invalid` when the key doesn't
 * open the video.
 */
export type AuthoriseViewer = (videoId: string, authorization: string | null) => ServedVideo | Promise<ServedVideo>;

export const createViewerAuthorisation =
	({ videos, playback }: { videos: ServedVideos; playback: Pick<PlaybackNoun, "opens"> }): AuthoriseViewer =>
	(videoId, authorization) => {
		const authorise = (found: ServedVideo | null): ServedVideo | Promise<ServedVideo> => {
			if (found?.visibility === "public") return found;
			if (authorization === null) throw new ReelmillError("playback_key_required");
			if (found === null) throw new ReelmillError("playback_key_invalid");
			const opens = playback.opens(authorization, targetOf(found));
			return typeof opens === "boolean" ? admitted(found, opens) : opens.then((answer) => admitted(found, answer));
		};
		const known = videos.peek(videoId);
		return known === undefined ? videos.find(videoId).then(authorise) : authorise(known);
	};

function admitted(found: ServedVideo, opens: boolean): ServedVideo {
	if (!opens) throw new ReelmillError("playback_key_invalid");
	return found;
}

const targetOf = (found: ServedVideo): PlaybackTarget => ({
	id: found.id,
	domainId: found.domain_id,
	sessionId: found.session_id,
	epoch: found.playback_epoch,
	revokedOrder: found.playback_revoked_order,
});
