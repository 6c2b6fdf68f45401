import * as z from "zod";
import { limits } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import {
	CaptionKind,
	CaptionLabel,
	CaptionLanguage,
	Captions,
	CaptionsList,
	CaptionsText,
} from "../resources/captions.ts";
import { VideoIdParam } from "../resources/common.ts";

const params = z.strictObject({ id: VideoIdParam, language: CaptionLanguage });
const errors = [
	"invalid_video_id",
	"video_not_found",
	"invalid_state",
	"storage_backend_unsupported",
	"storage_unavailable",
] as const;

export const listCaptions = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/captions",
	plane: "tenant",
	tag: "Videos",
	summary: "List a video's captions",
	description:
		"Those of the uploaded file, the transcript that was made, and your own. Only an available video has any.",
	auth: "tenant",
	sandbox: "allowed",
	params: z.strictObject({ id: VideoIdParam }),
	success: { status: 200, body: CaptionsList },
	errors,
});

export const getVideoCaptions = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/captions/{language}",
	plane: "tenant",
	tag: "Videos",
	summary: "Read captions as WebVTT",
	description: "The first ones in this language that aren't forced. `not_found` if there are none.",
	auth: "tenant",
	sandbox: "allowed",
	params,
	success: { status: 200, content: "text/vtt", says: "The captions as WebVTT." },
	errors: [...errors, "not_found"],
});

export const putCaptions = defineOperation({
	method: "PUT",
	path: "/v1/videos/{id}/captions/{language}",
	plane: "tenant",
	tag: "Videos",
	summary: "Give a video captions, or correct them",
	description:
		"The body is WebVTT or SubRip in UTF-8, up to 1 MiB; which one, its beginning tells. It takes the place of the captions in this language that aren't forced, also of the transcript that was made, and of nothing else. HLS and DASH list it within 60 s, without another encode. A file that isn't right is refused as a whole, and the message names line and cue. Tags that WebVTT doesn't know are shown as text. Calling it twice changes nothing more.",
	auth: "tenant",
	sandbox: "allowed",
	audit: "video.captions_changed",
	params,
	query: z.strictObject({
		label: CaptionLabel.optional(),
		kind: CaptionKind.optional().meta({
			description: "Left out: as before, or `captions` in the language of the sound and `subtitles` in any other.",
		}),
	}),
	body: CaptionsText,
	text: { mediaTypes: ["text/vtt", "application/x-subrip", "text/plain"], mostBytes: limits.captionsBytes },
	success: { status: 200, body: Captions },
	errors,
});

export const deleteCaptions = defineOperation({
	method: "DELETE",
	path: "/v1/videos/{id}/captions/{language}",
	plane: "tenant",
	tag: "Videos",
	summary: "Take captions away",
	description:
		"All in this language that aren't forced. If the transcript is among them, `transcript_status` becomes `disabled`. `not_found` if there are none.",
	auth: "tenant",
	sandbox: "allowed",
	audit: "video.captions_deleted",
	params,
	success: { status: 204, says: "The captions are gone from the video." },
	errors: [...errors, "not_found"],
});
