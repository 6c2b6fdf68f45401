import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { Chapters, PutChapters } from "../resources/chapters.ts";
import { VideoIdParam } from "../resources/common.ts";

const shared = {
	path: "/v1/videos/{id}/chapters",
	plane: "tenant",
	tag: "Videos",
	auth: "tenant",
	sandbox: "allowed",
	params: z.strictObject({ id: VideoIdParam }),
} as const;
const errors = [
	"invalid_video_id",
	"video_not_found",
	"invalid_state",
	"storage_backend_unsupported",
	"storage_unavailable",
] as const;

export const getVideoChapters = defineOperation({
	...shared,
	method: "GET",
	summary: "Read a video's chapters",
	description: "Those of the uploaded file, until you put others. Only an available video has any.",
	success: { status: 200, body: Chapters },
	errors,
});

export const putChapters = defineOperation({
	...shared,
	method: "PUT",
	summary: "Name a video's chapters",
	description:
		"In place of all that it has. Players show them within 60 s: they are at `chapters_url` as WebVTT, and in the HLS playlist as session data. Calling it twice changes nothing more.",
	audit: "video.chapters_changed",
	body: PutChapters,
	success: { status: 200, body: Chapters },
	errors,
});

export const deleteChapters = defineOperation({
	...shared,
	method: "DELETE",
	summary: "Take a video's chapters away",
	description: "`not_found` if there are none.",
	audit: "video.chapters_deleted",
	success: { status: 204, says: "The video has no chapters any more." },
	errors: [...errors, "not_found"],
});
