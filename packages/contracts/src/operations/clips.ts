import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Clip, ClipPage, CreateClip } from "../resources/clip.ts";
import { pageQuery, VideoIdParam } from "../resources/common.ts";
import { creationHeaders } from "./creation-headers.ts";

const shared = {
	path: "/v1/videos/{id}/clips",
	plane: "tenant",
	tag: "Videos",
	auth: "tenant",
	sandbox: "allowed",
	params: z.strictObject({ id: VideoIdParam }),
} as const;

export const createClip = defineOperation({
	...shared,
	method: "POST",
	summary: "Cut a clip out of a video",
	description:
		"Makes a new video of a stretch of an available one, to the frame, of half a second at least. Nothing is uploaded: it waits for a worker at once, which encodes at most the groups of pictures at its ends; all else is the video's own. It has the renditions and the kinds of files that the video has, and its captions and chapters within the stretch. From then on it is a video of its own, with its own webhooks. Its bytes count for the quotas as those of an upload, in the measure of its length; the slots and the hourly limit of the uploader, whose `uploader_ref` it gets, don't. If the video is deleted before the clip is made, the clip fails with `source_missing`.",
	audit: "clip.created",
	headers: creationHeaders("9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d"),
	body: CreateClip,
	success: { status: 201, body: Clip },
	errors: [
		"invalid_video_id",
		"video_not_found",
		"invalid_state",
		"duration_too_long",
		"outro_not_found",
		"outro_not_ready",
		"upload_quota_exceeded",
		"storage_quota_exceeded",
		"storage_unavailable",
		"sandbox_not_allowed",
	],
	statuses: { outro_not_found: 400 },
});

export const listClips = defineOperation({
	...shared,
	method: "GET",
	summary: "List the clips of a video, newest first",
	description: "Those that were cut out of it and are not deleted. Of a clip of a clip, the clip is the video.",
	query: z.strictObject(pageQuery),
	success: { status: 200, body: ClipPage },
	errors: ["invalid_video_id", "video_not_found", "invalid_cursor"],
});
