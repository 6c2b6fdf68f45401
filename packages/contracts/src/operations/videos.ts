import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery, Reference, VideoIdParam } from "../resources/common.ts";
import { MetadataKey, MetadataValue, UpdateMetadata, VideoMetadata } from "../resources/metadata.ts";
import { Transcript } from "../resources/transcript.ts";
import {
	CreatedVideo,
	CreateVideo,
	UpdateVisibility,
	Video,
	VideoCounts,
	VideoPage,
	VideoReport,
	VideoState,
	VideoTimeline,
} from "../resources/video.ts";
import { creationHeaders } from "./creation-headers.ts";

const params = z.strictObject({ id: VideoIdParam });

export const createVideo = defineOperation({
	method: "POST",
	path: "/v1/videos",
	plane: "tenant",
	tag: "Videos",
	summary: "Initiate an upload",
	description:
		"Answers with the video, a tus endpoint and a token for this one upload, which the end user's device uses in place of the domain key. The order of checks is fixed: content type, size, duration, quotas, the uploader's pending slot, the throttle on expired uploads; then the outro, and last the hourly limit per uploader_ref. However many are initiated at once, uploads overshoot no quota and no pending slot; outputs may pass the storage cap. A quota code's `retryAfter` is the first moment at which this upload can succeed; it is missing where no later moment helps, as for a file larger than the whole daily quota. The upload expires after an hour.",
	auth: "tenant",
	sandbox: "allowed",
	unaudited: "an upload of a machine; the video itself says who and when",
	headers: creationHeaders("6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"),
	body: CreateVideo,
	success: { status: 201, body: CreatedVideo },
	errors: [
		"invalid_content_type",
		"file_too_large",
		"duration_too_long",
		"outro_not_found",
		"sandbox_not_allowed",
		"concurrent_upload_exists",
		"outro_not_ready",
		"upload_quota_exceeded",
		"storage_quota_exceeded",
		"too_many_incomplete_uploads",
		"storage_unavailable",
	],
	statuses: { outro_not_found: 400 },
});

export const listVideos = defineOperation({
	method: "GET",
	path: "/v1/videos",
	plane: "tenant",
	tag: "Videos",
	summary: "List the domain's videos, newest first",
	description:
		"Keyset pages: pass `next_cursor` back verbatim, with the same filters. A video is listed if it matches every filter. Stable while videos arrive.",
	auth: "tenant",
	sandbox: "allowed",
	query: z
		.strictObject({
			state: VideoState.optional().meta({ description: "Only videos in this state." }),
			external_ref: Reference.optional().meta({
				description: "Exactly this `external_ref`.",
				examples: ["order-1234"],
			}),
			uploader_ref: Reference.optional().meta({ description: "Exactly this `uploader_ref`.", examples: ["user-42"] }),
			search: Reference.optional().meta({
				description:
					"Videos whose title, id (from 8 characters on), `external_ref` or `uploader_ref` begins so, in any case of letters, and however accents are spelled.",
				examples: ["holiday"],
			}),
			metadata_key: MetadataKey.optional().meta({
				description: "Only videos whose metadata has exactly `metadata_value` under this key. One needs the other.",
				examples: ["course"],
			}),
			metadata_value: MetadataValue.optional().meta({
				description: "The value under `metadata_key`, exactly.",
				examples: ["biology-7"],
			}),
			include: z
				.enum(["metadata"])
				.optional()
				.meta({ description: "`metadata`: each video has its title and values." }),
			...pageQuery,
		})
		.refine(
			({ metadata_key, metadata_value }) => (metadata_key === undefined) === (metadata_value === undefined),
			"metadata_key and metadata_value: one needs the other",
		),
	success: { status: 200, body: VideoPage },
	errors: ["invalid_cursor"],
});

export const countVideos = defineOperation({
	method: "GET",
	path: "/v1/videos/counts",
	plane: "tenant",
	tag: "Videos",
	summary: "Count the domain's videos by state",
	description:
		"One row for each state, in the order of a video's life. At most 10,000 videos of a state are counted, so that the answer comes quickly however many there are; `more` says where there are more.",
	auth: "tenant",
	sandbox: "allowed",
	success: { status: 200, body: VideoCounts },
	errors: [],
});

export const getVideo = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}",
	plane: "tenant",
	tag: "Videos",
	summary: "Read a video",
	description:
		"Poll about every 10 s until a terminal state, or use webhooks. Another tenant's video answers as an unknown one.",
	auth: "tenant",
	sandbox: "allowed",
	params,
	success: { status: 200, body: Video },
	errors: ["invalid_video_id", "video_not_found"],
});

export const deleteVideo = defineOperation({
	method: "DELETE",
	path: "/v1/videos/{id}",
	plane: "tenant",
	tag: "Videos",
	summary: "Delete a video",
	description:
		"The video is gone from the API at once and from delivery within 5 s; work in flight is cancelled (event `video.cancelled`), upload data is removed at once, output files soon after. Videos in state expired or cancelled cannot be deleted.",
	auth: "tenant",
	sandbox: "allowed",
	audit: "video.deleted",
	params,
	success: { status: 204, says: "The video is deleted." },
	errors: ["invalid_video_id", "video_not_found", "video_not_deletable"],
});

export const cancelVideo = defineOperation({
	method: "POST",
	path: "/v1/videos/{id}/cancel",
	plane: "tenant",
	tag: "Videos",
	summary: "Cancel a video that is not finished",
	description:
		"Frees the uploader's slot and removes upload data; a running worker stops at its next heartbeat. Tells `video.cancelled`.",
	auth: "tenant",
	sandbox: "allowed",
	audit: "video.cancelled",
	params,
	success: { status: 200, body: Video },
	errors: ["invalid_video_id", "video_not_found", "invalid_state"],
});

export const updateVideoVisibility = defineOperation({
	method: "PATCH",
	path: "/v1/videos/{id}/visibility",
	plane: "tenant",
	tag: "Videos",
	summary: "Make a video private or public",
	description: "Takes effect within 60 s. A public answer may stay in caches downstream for up to 24 hours.",
	auth: "tenant",
	sandbox: "refused",
	audit: "video.visibility_changed",
	params,
	body: UpdateVisibility,
	success: { status: 200, body: Video },
	errors: ["invalid_video_id", "video_not_found"],
});

export const getTranscript = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/transcript",
	plane: "tenant",
	tag: "Videos",
	summary: "Read a video's transcript",
	description: "`text` is null while there is none; `status` says why.",
	auth: "tenant",
	sandbox: "allowed",
	params,
	success: { status: 200, body: Transcript },
	errors: ["invalid_video_id", "video_not_found", "storage_backend_unsupported", "storage_unavailable"],
});

export const getVideoReport = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/report",
	plane: "tenant",
	tag: "Videos",
	summary: "Read how a video was processed",
	description:
		"`warnings` is for the tenant. `report` is for debugging: what the transcoder found, decided and proved; of a video that failed for its source, `report.failure` says what is wrong with it.",
	auth: "tenant",
	sandbox: "allowed",
	params,
	success: { status: 200, body: VideoReport },
	errors: ["invalid_video_id", "video_not_found"],
});

export const getVideoMetadata = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/metadata",
	plane: "tenant",
	tag: "Videos",
	summary: "Read a video's title and values",
	description: "A video that was given none has the title null and no values.",
	auth: "tenant",
	sandbox: "allowed",
	params,
	success: { status: 200, body: VideoMetadata },
	errors: ["invalid_video_id", "video_not_found"],
});

export const putVideoMetadata = defineOperation({
	method: "PUT",
	path: "/v1/videos/{id}/metadata",
	plane: "tenant",
	tag: "Videos",
	summary: "Name a video",
	description:
		"Sets the title and all values, whatever the video's state; values that are left out are removed. Lists find videos by them. Tells `video.updated`, unless nothing changed. They go with the video, and with an erasure of its uploader.",
	auth: "tenant",
	sandbox: "allowed",
	audit: "video.metadata_changed",
	params,
	body: UpdateMetadata,
	success: { status: 200, body: VideoMetadata },
	errors: ["invalid_video_id", "video_not_found"],
});

export const getVideoTimeline = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/timeline",
	plane: "tenant",
	tag: "Videos",
	summary: "Read what happened to a video, and when",
	description:
		"Each state that the video came to, with the worker that took its job, and when the upload's first bytes came. How long it waited and how long it was encoded lies between the moves. While it is encoded, how far each rendition has come.",
	auth: "tenant",
	sandbox: "allowed",
	params,
	success: { status: 200, body: VideoTimeline },
	errors: ["invalid_video_id", "video_not_found"],
});

export const getFrame = defineOperation({
	method: "GET",
	path: "/v1/videos/{id}/frames/{path}",
	plane: "tenant",
	tag: "Videos",
	summary: "Fetch a moderation frame",
	description:
		"For the domain's own tooling; never public, also where the video is. A frame that is not there is `not_found`.",
	auth: "tenant",
	sandbox: "allowed",
	params: z.strictObject({
		id: VideoIdParam,
		path: z.string().meta({ description: "The frame's file name, for example 00001.jpg.", examples: ["00001.jpg"] }),
	}),
	success: { status: 200, content: "image/jpeg", says: "The frame as a JPEG." },
	errors: [
		"invalid_video_id",
		"video_not_found",
		"invalid_path",
		"not_found",
		"storage_backend_unsupported",
		"storage_unavailable",
	],
});
