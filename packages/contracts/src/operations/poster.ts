import * as z from "zod";
import { limits } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { VideoIdParam } from "../resources/common.ts";
import { Poster, PutPoster } from "../resources/poster.ts";

const shared = {
	path: "/v1/videos/{id}/poster",
	plane: "tenant",
	tag: "Videos",
	auth: "tenant",
	sandbox: "allowed",
	params: z.strictObject({ id: VideoIdParam }),
} as const;
const errors = ["invalid_video_id", "video_not_found", "invalid_state"] as const;

export const getVideoPoster = defineOperation({
	...shared,
	method: "GET",
	summary: "Read where a video's poster comes from",
	description:
		"The one that was chosen when the video was processed, until you choose another. Only an available video has any.",
	success: { status: 200, body: Poster },
	errors,
});

export const putPoster = defineOperation({
	...shared,
	method: "PUT",
	summary: "Choose a video's poster",
	description:
		"The body is JSON with the moment of a frame, or a JPEG, PNG or WebP file of up to 5 MB and 50 million pixels, which is encoded anew: it is never served as it was sent. A worker makes `poster.jpg` and `og.jpg` of it within seconds, and viewers see them within 60 s. A second call takes the place of the first, also of one that is being made.",
	audit: "video.poster_changed",
	body: PutPoster,
	file: {
		mediaTypes: ["image/jpeg", "image/png", "image/webp", "application/octet-stream"],
		mostBytes: limits.pictureBytes,
	},
	success: { status: 202, body: Poster },
	errors: [...errors, "storage_backend_unsupported", "storage_unavailable"],
});

export const deletePoster = defineOperation({
	...shared,
	method: "DELETE",
	summary: "Go back to the poster that was chosen automatically",
	description: "The moving preview goes as well, and so does what is being made. `not_found` if you have chosen none.",
	audit: "video.poster_deleted",
	success: { status: 204, says: "The video has the pictures that were made when it was processed." },
	errors: [...errors, "not_found"],
});
