import type { CallResult } from "@reelmill/client";
import { StateBadge, type Tone } from "../components/state-badge.tsx";

export type VideoView = CallResult<"getVideo">;

/** What a state means to a person. */
export const stateNames: Readonly<Record<VideoView["state"], string>> = {
	pending_upload: "waiting for the upload",
	uploaded: "waiting for a slot",
	queued: "waiting for a worker",
	locked: "starting",
	encoding: "encoding",
	available: "available",
	failed: "failed",
	timeout: "timed out",
	expired: "expired",
	cancelled: "cancelled",
};

const tones: Readonly<Record<VideoView["state"], Tone>> = {
	pending_upload: "idle",
	uploaded: "busy",
	queued: "busy",
	locked: "busy",
	encoding: "busy",
	available: "good",
	failed: "bad",
	timeout: "bad",
	expired: "warn",
	cancelled: "idle",
};

/** What a failure means, in a sentence. */
export const failureNames: Readonly<Record<FailureReason, string>> = {
	processing_timeout: "Processing took longer than this installation allows.",
	retries_exhausted: "Each attempt to process it failed, or its worker was lost.",
	queue_timeout: "No worker took it within the time allowed.",
	invalid_media: "The file is damaged, cut off, or not a video.",
	no_video_stream: "The file has no picture.",
	duration_too_long: "The video is longer than this domain allows.",
	dimensions_too_large: "The picture is larger, or has more frames, than can be processed.",
	source_missing: "The uploaded file is no longer stored.",
	storage_error: "The storage refused the finished files.",
};

type FailureReason = NonNullable<VideoView["failure_reason"]>;

/** Whether the upload is kept for a while after such a failure: it isn't at fault. */
const keepsUpload: Readonly<Record<FailureReason, boolean>> = {
	processing_timeout: true,
	retries_exhausted: true,
	queue_timeout: false,
	invalid_media: false,
	no_video_stream: false,
	duration_too_long: false,
	dimensions_too_large: false,
	source_missing: false,
	storage_error: true,
};

/** Whether an operator may have a video processed again that failed for this reason. */
export const mayBeReprocessed = (reason: FailureReason | null): boolean => reason !== null && keepsUpload[reason];

/** Whether a video is on its way, so that what is shown of it changes by itself. */
export const isMoving = ({ state }: Pick<VideoView, "state">): boolean =>
	["pending_upload", "uploaded", "queued", "locked", "encoding"].includes(state);

/** A video's state as a badge, with its progress while it is encoded. */
export function VideoState({ video }: { video: Pick<VideoView, "state" | "progress"> }) {
	const { state, progress } = video;
	return (
		<StateBadge state={state} tone={tones[state]}>
			{state === "encoding" ? `encoding ${progress} %` : stateNames[state]}
		</StateBadge>
	);
}
