import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { VideoIdParam } from "../resources/common.ts";

const params = z.strictObject({ id: VideoIdParam });
const fileParams = z.strictObject({
	id: VideoIdParam,
	file: z.string().meta({ description: "A file name, as the playlist or manifest gives it." }),
});

/** What all files of a video have in common. A query is ignored. */
const file = {
	method: "GET",
	alsoHead: true,
	plane: "delivery",
	tag: "Delivery",
	auth: "playback",
	description:
		"A private video needs a playback key as `Authorization: Bearer` on every request; a public one is served to anyone. An unknown id answers as a private video does. Single ranges, ETag, If-None-Match and If-Range are understood.",
	headers: z.object({
		Range: z.string().optional(),
		"If-None-Match": z.string().optional(),
		"If-Range": z.string().optional(),
	}),
	responseHeaders: {
		ETag: "Strong; changes with the bytes.",
		"Cache-Control": "A day for public videos; private ones are revalidated each time.",
		"Accept-Ranges": "bytes",
	},
	alternatives: [
		{ status: 206, description: "The range asked for." },
		{ status: 304, description: "The copy that If-None-Match names is still good." },
		{ status: 416, description: "`bad_request`: the range lies outside the file." },
	],
	errors: [
		"playback_key_required",
		"playback_key_invalid",
		"invalid_path",
		"not_found",
		"storage_backend_unsupported",
		"storage_unavailable",
	],
} as const;

export const getMasterPlaylist = defineOperation({
	...file,
	path: "/videos/{id}/hls/master.m3u8",
	summary: "Fetch the HLS multivariant playlist",
	params,
	success: { status: 200, content: "application/vnd.apple.mpegurl" },
});
export const getMediaPlaylist = defineOperation({
	...file,
	path: "/videos/{id}/hls/{file}",
	summary: "Fetch an HLS media playlist",
	params: fileParams,
	success: { status: 200, content: "application/vnd.apple.mpegurl" },
});
export const getManifest = defineOperation({
	...file,
	path: "/videos/{id}/dash/manifest.mpd",
	summary: "Fetch the DASH manifest",
	params,
	success: { status: 200, content: "application/dash+xml" },
});
export const getMedia = defineOperation({
	...file,
	path: "/videos/{id}/media/{file}",
	summary: "Fetch bytes of a track",
	params: fileParams,
	success: { status: 200, content: "video/mp4" },
});
export const getWebMp4 = defineOperation({
	...file,
	path: "/videos/{id}/web.mp4",
	summary: "Fetch the MP4 fallback",
	params,
	success: { status: 200, content: "video/mp4" },
});
export const getThumbnail = defineOperation({
	...file,
	path: "/videos/{id}/og.jpg",
	summary: "Fetch the Open Graph thumbnail",
	params,
	success: { status: 200, content: "image/jpeg" },
});
export const getTranscriptFile = defineOperation({
	...file,
	path: "/videos/{id}/transcript.vtt",
	summary: "Fetch the captions",
	params,
	success: { status: 200, content: "text/vtt" },
});
export const getStoryboard = defineOperation({
	...file,
	path: "/videos/{id}/storyboard.vtt",
	summary: "Fetch the storyboard's cues",
	params,
	success: { status: 200, content: "text/vtt" },
});
export const getStoryboardImage = defineOperation({
	...file,
	path: "/videos/{id}/storyboard/{file}",
	summary: "Fetch a sprite of the storyboard",
	params: fileParams,
	success: { status: 200, content: "image/jpeg" },
});
