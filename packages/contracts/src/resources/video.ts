import * as z from "zod";
import { ContentType, FileSize, Id, page, Reference, Slug, Timestamp } from "./common.ts";
import { Visibility } from "./domain.ts";

/** The states of a video, in the order of its life. */
export const videoStates = [
	"pending_upload",
	"uploaded",
	"queued",
	"locked",
	"encoding",
	"available",
	"failed",
	"timeout",
	"expired",
	"cancelled",
] as const;
/** Where a video stands in its life. */
export const VideoState = z.enum(videoStates);
export type VideoState = z.infer<typeof VideoState>;
/** The states that end a video's life. */
export const terminalStates = [
	"available",
	"failed",
	"timeout",
	"expired",
	"cancelled",
] as const satisfies readonly VideoState[];

/**
 * Tells whether a video in this state changes no more.
 * @example
 * ```ts
 * import { isTerminal } from "@reelmill/contracts";
 *
 * console.log(isTerminal("available"), isTerminal("encoding")); // => true false
 * ```
 */
export const isTerminal = (state: VideoState): boolean => (terminalStates as readonly VideoState[]).includes(state);

/** What may become of a video's transcript. */
export const transcriptStatuses = ["disabled", "pending", "available", "no_speech", "unavailable", "failed"] as const;
/** What has become of a video's transcript. */
export const TranscriptStatus = z.enum(transcriptStatuses);
export type TranscriptStatus = z.infer<typeof TranscriptStatus>;

/** The failures that another attempt would meet again, because the source is their reason. */
export const sourceFailureReasons = [
	"invalid_media",
	"no_video_stream",
	"duration_too_long",
	"dimensions_too_large",
] as const;
/** Why a video can fail. */
export const failureReasons = [
	"processing_timeout",
	"retries_exhausted",
	"queue_timeout",
	...sourceFailureReasons,
	"source_missing",
	"storage_error",
] as const;
/** Why a video failed. */
export const FailureReason = z.enum(failureReasons);
export type FailureReason = z.infer<typeof FailureReason>;

/** The codecs that videos are encoded with. */
export const codecs = ["h264", "av1"] as const;
/** One encoding of a video: codec, size in pixels, bit rate. */
export const Rendition = z.object({
	name: z.string(),
	codec: z.enum(codecs),
	width: z.int(),
	height: z.int(),
	bitrate: z.int().meta({ description: "Average bits per second." }),
});
export type Rendition = z.infer<typeof Rendition>;

/** Where a video is played: addresses of its playlists, files and pictures, and its renditions. */
export const VideoOutputs = z.object({
	hls_url: z.url().nullable(),
	dash_url: z.url().nullable(),
	mp4_url: z.url().nullable(),
	thumbnail_url: z.url().nullable(),
	storyboard_url: z.url().nullable(),
	web_mp4_outro_id: Id.nullable(),
	renditions: z.array(Rendition),
});
export type VideoOutputs = z.infer<typeof VideoOutputs>;

/** A video as its tenant sees it: state, progress, limits, and its outputs once they are there. */
export const Video = z.object({
	id: Id,
	state: VideoState,
	progress: z.int().min(0).max(100).meta({
		description:
			"Percent of the processing done; never goes back, not on a video that failed either; 100 exactly when available.",
	}),
	visibility: Visibility,
	content_type: z.string(),
	file_size: z.int().meta({ description: "Bytes, as declared." }),
	duration_seconds: z
		.number()
		.nullable()
		.meta({ description: "As declared until the source was probed, then as measured." }),
	width: z.int().nullable().meta({ description: "Pixels as displayed; null until probed." }),
	height: z.int().nullable(),
	external_ref: z.string().nullable(),
	uploader_ref: z.string().nullable(),
	outro_id: Id.nullable(),
	transcript_status: TranscriptStatus,
	transcript_url: z.url().nullable(),
	outputs: VideoOutputs.nullable(),
	failure_reason: FailureReason.nullable(),
	created_at: Timestamp,
	updated_at: Timestamp,
	uploaded_at: Timestamp.nullable(),
	available_at: Timestamp.nullable(),
	expires_at: Timestamp.nullable().meta({ description: "While pending_upload: when the upload expires." }),
});
export type Video = z.infer<typeof Video>;

/** What a tenant says of a video before its upload. */
export const CreateVideo = z.strictObject({
	content_type: ContentType,
	file_size: FileSize,
	duration_seconds: z.int().min(1).optional(),
	external_ref: Reference.optional(),
	uploader_ref: Reference.optional(),
	transcript: z.boolean().optional().meta({ description: "Overrides the domain's setting." }),
	outro_slug: Slug.nullable().optional().meta({ description: "Null opts out of the domain's default outro." }),
	visibility: Visibility.optional(),
});
export type CreateVideo = z.infer<typeof CreateVideo>;

/**
 * What the transcoder decided while it processed a video, and why. It is for people who debug; its fields may change.
 */
export const VideoReport = z.object({
	video_id: Id,
	report: z
		.record(z.string(), z.unknown())
		.nullable()
		.meta({ description: "Null until the video is available, or failed for its source." }),
});
export type VideoReport = z.infer<typeof VideoReport>;

/** How many videos there are of each state, counted up to `mostCounted`. */
export const mostCounted = 10_000;
/** How many videos of a domain are in each state. */
export const VideoCounts = z.object({
	data: z.array(
		z.object({
			state: VideoState,
			count: z.int().min(0).max(mostCounted),
			more: z.boolean().meta({ description: "True if there are more videos than were counted." }),
		}),
	),
});
export type VideoCounts = z.infer<typeof VideoCounts>;

/** The life of a video: what happened to it, and when. */
export const VideoTimeline = z.object({
	video_id: Id,
	first_byte_at: Timestamp.nullable().meta({
		description: "When the first bytes of the upload came; null until then, and where nobody noted it.",
	}),
	moves: z
		.array(
			z.object({
				state: VideoState,
				at: Timestamp,
				worker: z.string().nullable().meta({ description: "Who took the job, of the move to `locked`." }),
			}),
		)
		.meta({
			description:
				"Each state that the video came to, the first one first: at most the first 8 and the last 32. Of a video that is older than this record, the moves whose time is known.",
		}),
});
export type VideoTimeline = z.infer<typeof VideoTimeline>;

/** Where and how to send the bytes: a tus endpoint, and a token for this one asset. */
export const UploadTicket = z.object({
	protocol: z.literal("tus"),
	endpoint: z.url(),
	token: z.string(),
	token_type: z.literal("Bearer"),
	expires_at: Timestamp,
	metadata: z.object({ video_id: Id }),
});
export type UploadTicket = z.infer<typeof UploadTicket>;

/** A new video, and the ticket for its upload: shown once. */
export const CreatedVideo = z.object({ video: Video, upload: UploadTicket });
export type CreatedVideo = z.infer<typeof CreatedVideo>;

/** One page of videos, newest first. */
export const VideoPage = page(Video);

/** The body that makes a video public or private. */
export const UpdateVisibility = z.strictObject({ visibility: Visibility });
