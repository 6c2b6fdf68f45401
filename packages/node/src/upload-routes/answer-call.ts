import { isReelmillError, ReelmillError } from "@reelmill/client";
import type { AskedUpload, PageCall, PageUpload, PageVideo, PlaybackKey, Video } from "@reelmill/contracts";
import type { Reelmill } from "../reelmill.ts";
import type { CreateVideoInput } from "../tickets.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";

/** The page is told at once when to try again, and tries again by itself if that is soon. */
const once = { retries: 0 };

/**
 * Does what a page asks for a person who was authorised. It goes on if the page leaves, so that the ticket of an upload
 * is kept for the page's return.
 */
export async function answerCall<Who extends Person>(
	call: PageCall,
	person: Who,
	options: Omit<UploadRoutesOptions<never, Who>, "authorize">,
): Promise<PageUpload | PageVideo | PlaybackKey> {
	if (call.action === "upload") return initiate(call, person, options);
	const { reelmill, mayPlay = isOwnOrPublic, keySeconds } = options;
	const video = await ofService(reelmill.videos.get(call.video_id, once));
	// An uploader's page follows its upload, also where the uploader may not play it.
	const isFollowed = call.action === "video" && video.uploader_ref === person.ref;
	if (!isFollowed && !(await mayPlay(video, person)))
		throw new ReelmillError("forbidden", { message: "This video is not for this viewer." });
	if (call.action === "video") return forPage(video);
	const viewer = { viewer_ref: person.ref, video_ids: [video.id] };
	return ofService(
		reelmill.playbackKeys.create(keySeconds === undefined ? viewer : { ...viewer, ttl_seconds: keySeconds }, once),
	);
}

async function initiate<Who extends Person>(
	asked: AskedUpload,
	person: Who,
	{ reelmill, describe }: Omit<UploadRoutesOptions<never, Who>, "authorize">,
): Promise<PageUpload> {
	const description = describe ? await describe(asked, person) : {};
	if (description === null) throw new ReelmillError("forbidden", { message: "This upload is not allowed." });
	const { content_type, file_size, duration_seconds, fingerprint, kept = [], call, replace } = asked;
	const input = {
		...description,
		content_type,
		file_size,
		...(duration_seconds === undefined ? {} : { duration_seconds }),
		uploader_ref: person.ref,
	};
	const earlier = await findKept(kept, input, reelmill);
	if (earlier && !(earlier.state in begunAnew)) return { video: forPage(earlier), upload: null, resumed: true };
	const { video, upload, resumed } = await ofService(
		reelmill.videos.initiateOrResume(input, {
			...once,
			onExisting: replace === true ? "cancel" : "fail",
			...(call === undefined ? {} : { idempotencyKey: call }),
			...(fingerprint === undefined ? {} : { file: fingerprint }),
		}),
	);
	const ended = earlier ? { earlier_state: earlier.state as keyof typeof begunAnew } : {};
	return { video: forPage(video), upload, resumed, ...ended };
}

/** An upload that ended so is no dead end: another one begins in its place. */
const begunAnew = { expired: true, cancelled: true, failed: true, timeout: true };

/**
 * Finds the last of the uploads that a browser keeps which is this person's and for this purpose; one that goes on
 * comes before those that have ended. Browsers are shared: the others are somebody else's, or for something else, and
 * nothing is said of them.
 */
async function findKept(
	ids: readonly string[],
	{ file_size, uploader_ref, external_ref, visibility }: CreateVideoInput,
	{ videos }: Pick<Reelmill, "videos">,
): Promise<Video | undefined> {
	const found = await Promise.all(ids.map((id) => ofService(videos.get(id, once)).catch(nothingIfGone)));
	const own = found.filter(
		(video) =>
			video?.uploader_ref === uploader_ref &&
			(video?.external_ref ?? undefined) === external_ref &&
			video?.file_size === file_size &&
			video?.visibility === (visibility ?? video?.visibility),
	);
	return own.findLast((video) => video !== undefined && !(video.state in begunAnew)) ?? own.at(-1);
}

/** What a browser keeps may come from another service: then its ids may have another form. */
function nothingIfGone(error: unknown): undefined {
	if (!isReelmillError(error, "video_not_found") && !isReelmillError(error, "invalid_video_id")) throw error;
}

const isOwnOrPublic = (video: Video, { ref }: Person): boolean =>
	video.visibility === "public" || video.uploader_ref === ref;

const forPage = ({ external_ref, uploader_ref, outro_id, ...rest }: Video): PageVideo => rest;

/** An error of the back end's own key is not the page's: `unauthorized` would tell it that nobody is signed in. */
async function ofService<Answer>(call: Promise<Answer>): Promise<Answer> {
	try {
		return await call;
	} catch (cause) {
		if (!isReelmillError(cause, "unauthorized") && !isReelmillError(cause, "forbidden")) throw cause;
		throw new Error(`Reelmill refuses the key of this back end: ${cause.message}`, { cause });
	}
}
