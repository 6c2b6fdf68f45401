import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { VideoIdParam } from "../resources/common.ts";
import { IfNoneMatch, IfRange, Range } from "./file-headers.ts";

const params = z.strictObject({ id: VideoIdParam });
const fileParams = z.strictObject({
	id: VideoIdParam,
	file: z
		.string()
		.meta({ description: "A file name, as the playlist or manifest gives it.", examples: ["h264_720.m3u8"] }),
});

/** What all files of a video have in common. A query is ignored. */
const file = {
	method: "GET",
	alsoHead: true,
	plane: "delivery",
	tag: "Delivery",
	auth: "playback",
	description: "Needs a playback key, unless the video is public. HEAD answers alike.",
	headers: z.object({
		Range,
		"If-None-Match": IfNoneMatch,
		"If-Range": IfRange,
	}),
	responseHeaders: {
		ETag: "Strong; changes with the bytes.",
		"Cache-Control":
			"A day for public videos, a minute for files that were changed later; private ones are revalidated each time.",
		"Accept-Ranges": "bytes",
		"Reelmill-Domain":
			"For an edge: the first 12 bytes of the SHA-256 of the domain's id, in base64url. It keeps public files of its own domains alone.",
	},
	alternatives: [
		{ status: 206, description: "The range asked for, under the headers of 200." },
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
	success: {
		status: 200,
		content: "application/vnd.apple.mpegurl",
		says: "The multivariant playlist (HLS): one entry for each rendition.",
	},
});
export const getMediaPlaylist = defineOperation({
	...file,
	path: "/videos/{id}/hls/{file}",
	summary: "Fetch an HLS media playlist",
	params: fileParams,
	success: {
		status: 200,
		content: "application/vnd.apple.mpegurl",
		says: "The playlist of one track: the byte range of each segment.",
	},
});
export const getManifest = defineOperation({
	...file,
	path: "/videos/{id}/dash/manifest.mpd",
	summary: "Fetch the DASH manifest",
	params,
	success: {
		status: 200,
		content: "application/dash+xml",
		says: "The manifest (MPEG-DASH), over the same segments as HLS.",
	},
});
export const getMedia = defineOperation({
	...file,
	path: "/videos/{id}/media/{file}",
	summary: "Fetch bytes of a track",
	params: fileParams,
	success: {
		status: 200,
		content: "video/mp4",
		says: "The whole track as a fragmented MP4. Players ask for ranges of it.",
	},
});
export const getWebMp4 = defineOperation({
	...file,
	path: "/videos/{id}/web.mp4",
	summary: "Fetch the MP4 fallback",
	params,
	success: { status: 200, content: "video/mp4", says: "The whole video as one MP4, for players without streaming." },
});
export const getThumbnail = defineOperation({
	...file,
	path: "/videos/{id}/og.jpg",
	summary: "Fetch the Open Graph thumbnail",
	params,
	success: { status: 200, content: "image/jpeg", says: "A picture of the video as a JPEG." },
});
export const getPoster = defineOperation({
	...file,
	path: "/videos/{id}/poster.jpg",
	summary: "Fetch the poster",
	params,
	success: { status: 200, content: "image/jpeg", says: "The picture in the video's own shape, as a JPEG." },
});
export const getPreview = defineOperation({
	...file,
	path: "/videos/{id}/preview.webp",
	summary: "Fetch the moving preview",
	params,
	success: { status: 200, content: "image/webp", says: "Three seconds of the video as an animated WebP." },
});
export const getTranscriptFile = defineOperation({
	...file,
	path: "/videos/{id}/transcript.vtt",
	summary: "Fetch the captions",
	params,
	success: { status: 200, content: "text/vtt", says: "The captions as WebVTT." },
});
export const getCaptions = defineOperation({
	...file,
	path: "/videos/{id}/captions/{file}",
	summary: "Fetch further captions",
	params: fileParams,
	success: { status: 200, content: "text/vtt", says: "Captions or subtitles in another language, as WebVTT." },
});
export const getChapters = defineOperation({
	...file,
	path: "/videos/{id}/chapters.vtt",
	summary: "Fetch the chapters",
	params,
	success: { status: 200, content: "text/vtt", says: "The chapters as WebVTT: a cue with its title for each." },
});
export const getChapterData = defineOperation({
	...file,
	path: "/videos/{id}/chapters.json",
	summary: "Fetch the chapters as session data of HLS",
	params,
	success: { status: 200, content: "application/json", says: "The chapters as Apple's players read them." },
});
export const getStoryboard = defineOperation({
	...file,
	path: "/videos/{id}/storyboard.vtt",
	summary: "Fetch the storyboard's cues",
	params,
	success: {
		status: 200,
		content: "text/vtt",
		says: "The storyboard as WebVTT: for each span of time a part of a sprite.",
	},
});
export const getStoryboardImage = defineOperation({
	...file,
	path: "/videos/{id}/storyboard/{file}",
	summary: "Fetch a sprite of the storyboard",
	params: fileParams,
	success: { status: 200, content: "image/jpeg", says: "A sprite of small pictures as a JPEG." },
});
