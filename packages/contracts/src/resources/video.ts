import * as z from "zod";
import { warnings } from "../warnings.ts";
import { ContentType, FileSize, Id, page, Reference, Slug, Timestamp } from "./common.ts";
import { Visibility } from "./domain.ts";
import { VideoMetadata } from "./metadata.ts";

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
	name: z.string().meta({ description: "The codec and the height, such as `h264_720`: its files begin with it." }),
	codec: z.enum(codecs).meta({ description: "How the picture is compressed." }),
	width: z.int().meta({ description: "Pixels." }),
	height: z.int().meta({ description: "Pixels." }),
	bitrate: z.int().meta({ description: "Average bits per second." }),
});
export type Rendition = z.infer<typeof Rendition>;

/** Where a video is played: addresses of its playlists, files and pictures, and its renditions. */
export const VideoOutputs = z.object({
	hls_url: z.url().nullable().meta({ description: "The HLS multivariant playlist; null if HLS is switched off." }),
	dash_url: z.url().nullable().meta({ description: "The DASH manifest; null if DASH is switched off." }),
	mp4_url: z.url().nullable().meta({ description: "One MP4 of the whole video; null if it is switched off." }),
	thumbnail_url: z.url().nullable().meta({ description: "A picture as a JPEG; null if it is switched off." }),
	poster_url: z.url().nullable().meta({
		description:
			"The same picture in the video's own shape, for a player; null if it is switched off, or if the video was processed before there were posters.",
	}),
	storyboard_url: z
		.url()
		.nullable()
		.meta({ description: "Small pictures over time, as WebVTT; null if there are none." }),
	chapters_url: z
		.url()
		.nullable()
		.meta({ description: "The chapters as WebVTT: those of the uploaded file, or yours; null if there are none." }),
	web_mp4_outro_id: Id.nullable().meta({ description: "The outro that `web.mp4` ends with; null for none." }),
	renditions: z.array(Rendition).meta({ description: "The encodings that there are." }),
});
export type VideoOutputs = z.infer<typeof VideoOutputs>;

/** A video as its tenant sees it: state, progress, limits, and its outputs once they are there. */
export const Video = z.object({
	id: Id.meta({ description: "The video's id." }),
	state: VideoState,
	progress: z.int().min(0).max(100).meta({
		description:
			"Percent of the processing done; never goes back, not on a video that failed either; 100 exactly when available.",
	}),
	visibility: Visibility,
	content_type: z.string().meta({ description: "The media type that its upload declared." }),
	file_size: z.int().meta({ description: "Bytes, as declared." }),
	duration_seconds: z
		.number()
		.nullable()
		.meta({ description: "As declared until the source was probed, then as measured." }),
	width: z.int().nullable().meta({ description: "Pixels as displayed; null until probed." }),
	height: z.int().nullable().meta({ description: "Pixels as displayed; null until probed." }),
	external_ref: z.string().nullable().meta({ description: "Your own id for it; null if you gave none." }),
	uploader_ref: z.string().nullable().meta({ description: "Your own id for who uploaded it; null if you gave none." }),
	outro_id: Id.nullable().meta({ description: "The outro that it is to end with in `web.mp4`; null for none." }),
	transcript_status: TranscriptStatus,
	transcript_url: z.url().nullable().meta({
		description:
			"The captions as WebVTT: those of the uploaded file, or what a transcriber heard; null unless `transcript_status` is `available`.",
	}),
	outputs: VideoOutputs.nullable().meta({ description: "Where it is played; null until it is available." }),
	failure_reason: FailureReason.nullable().meta({ description: "Why it failed; null if it did not." }),
	created_at: Timestamp.meta({ description: "When its upload was initiated." }),
	updated_at: Timestamp.meta({ description: "When anything of it last changed." }),
	uploaded_at: Timestamp.nullable().meta({ description: "When its last byte came; null until then." }),
	available_at: Timestamp.nullable().meta({ description: "When it could first be played whole; null until then." }),
	expires_at: Timestamp.nullable().meta({ description: "While pending_upload: when the upload expires." }),
});
export type Video = z.infer<typeof Video>;

/** What a tenant says of a video before its upload. */
export const CreateVideo = z.strictObject({
	content_type: ContentType.meta({ description: "The file's media type, `video/*`, at most 100 characters." }),
	file_size: FileSize.meta({ description: "Bytes; the upload must have exactly as many." }),
	duration_seconds: z.int().min(1).optional().meta({
		description: "The length in whole seconds, if it is known: it is checked now in place of after the upload.",
	}),
	external_ref: Reference.optional().meta({
		description: "Your own id for the video, 1 to 255 characters; it need not be unique. Lists find it.",
	}),
	uploader_ref: Reference.optional().meta({
		description: "Your own id for the person who uploads, 1 to 255 characters: limits on pending uploads go by it.",
	}),
	transcript: z.boolean().optional().meta({ description: "Overrides the domain's setting." }),
	outro_slug: Slug.nullable().optional().meta({ description: "Null opts out of the domain's default outro." }),
	visibility: Visibility.optional().meta({
		description: "Who may play it (default: the domain's `default_visibility`).",
	}),
});
export type CreateVideo = z.infer<typeof CreateVideo>;

/** Something that a tenant should know of a source. */
export const VideoWarning = z.object({
	// The set is open, so generated clients get no closed list of it.
	code: z.string().meta({
		description: `${Object.keys(warnings).join(", ")}. Later versions may have more.`,
	}),
	message: z.string().meta({ description: "The code in a sentence, in English." }),
	detail: z.string().optional().meta({
		description:
			"What was found in this source, in English: what changes and when, or what was counted. Missing if the message says all.",
	}),
});
export type VideoWarning = z.infer<typeof VideoWarning>;

/**
 * What the transcoder decided while it processed a video, and why. It is for people who debug; its fields may change.
 */
export const VideoReport = z.object({
	video_id: Id.meta({ description: "The video's id." }),
	warnings: z.array(VideoWarning).meta({
		description: "What a viewer may notice of the source. Empty until the video is available.",
	}),
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
	data: z
		.array(
			z.object({
				state: VideoState,
				count: z.int().min(0).max(mostCounted).meta({ description: "How many there are, up to 10,000." }),
				more: z.boolean().meta({ description: "True if there are more videos than were counted." }),
			}),
		)
		.meta({ description: "One entry for each state." }),
});
export type VideoCounts = z.infer<typeof VideoCounts>;

/** The life of a video: what happened to it, and when. */
export const VideoTimeline = z.object({
	video_id: Id.meta({ description: "The video's id." }),
	first_byte_at: Timestamp.nullable().meta({
		description: "When the first bytes of the upload came; null until then, and where nobody noted it.",
	}),
	moves: z
		.array(
			z.object({
				state: VideoState.meta({ description: "The state that it came to." }),
				at: Timestamp.meta({ description: "When it came to the state." }),
				worker: z.string().nullable().meta({ description: "Who took the job, of the move to `locked`." }),
			}),
		)
		.meta({
			description:
				"Each state that the video came to, the first one first: at most the first 8 and the last 32. Of a video that is older than this record, the moves whose time is known.",
		}),
	encodes: z
		.array(
			z.object({
				renditions: z.array(z.string()).meta({ description: "The renditions that are encoded together." }),
				started_at: Timestamp.meta({ description: "When it began." }),
				ended_at: Timestamp.nullable().meta({ description: "When it ended; null while it runs." }),
				progress: z.int().min(0).max(100).meta({ description: "Percent of these renditions." }),
			}),
		)
		.meta({
			description:
				"The encodes of the present attempt, while the video is `encoding`, some seconds behind; empty otherwise, and where the worker doesn't tell. The report has those of a finished video.",
		}),
});
export type VideoTimeline = z.infer<typeof VideoTimeline>;

/** Where and how to send the bytes: a tus endpoint, and a token for this one asset. */
export const UploadTicket = z.object({
	protocol: z.literal("tus").meta({ description: "tus 1.0.0, resumable uploads over HTTP." }),
	endpoint: z.url().meta({ description: "Where the upload is created, by POST." }),
	token: z.string().meta({ description: "The credential of this one upload: it goes to the device that sends." }),
	token_type: z.literal("Bearer").meta({ description: "How it is sent: `Authorization: Bearer <token>`." }),
	expires_at: Timestamp.meta({ description: "When the upload must be done." }),
	metadata: z
		.object({ video_id: Id.meta({ description: "The id of the video or the outro asset." }) })
		.meta({ description: "What `Upload-Metadata` must hold." }),
});
export type UploadTicket = z.infer<typeof UploadTicket>;

/** A new video, and the ticket for its upload: shown once. */
export const CreatedVideo = z.object({
	video: Video.meta({ description: "The new video, in the state `pending_upload`." }),
	upload: UploadTicket.meta({ description: "Where and how to send the bytes." }),
});
export type CreatedVideo = z.infer<typeof CreatedVideo>;

/** A video in a list. */
export const ListedVideo = z.intersection(
	Video,
	z.object({
		metadata: VideoMetadata.optional().meta({ description: "Its title and values, with `include=metadata` alone." }),
	}),
);
export type ListedVideo = z.infer<typeof ListedVideo>;
/** One page of videos, newest first. */
export const VideoPage = page(ListedVideo);

/** The body that makes a video public or private. */
export const UpdateVisibility = z.strictObject({
	visibility: Visibility.meta({ description: "Who may play it from now on." }),
});
