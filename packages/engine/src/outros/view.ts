import type { Outro, OutroFailureReason, OutroState, VideoState } from "@reelmill/contracts";
import type { VideoRecord } from "../videos/index.ts";

/** A row of `reelmill.outros` with its newest asset. */
export type OutroRecord = {
	readonly slug: string;
	readonly label: string | null;
	readonly serving_id: string | null;
	readonly asset: Pick<
		VideoRecord,
		| "id"
		| "state"
		| "failure_reason"
		| "content_type"
		| "file_size"
		| "duration_seconds"
		| "width"
		| "height"
		| "created_at"
		| "updated_at"
	>;
};

const states: { readonly [S in VideoState]: OutroState } = {
	pending_upload: "uploading",
	uploaded: "encoding",
	queued: "encoding",
	locked: "encoding",
	encoding: "encoding",
	available: "available",
	failed: "failed",
	timeout: "failed",
	expired: "failed",
	cancelled: "failed",
};
const ownReasons: { readonly [S in VideoState]?: OutroFailureReason } = {
	expired: "upload_expired",
	cancelled: "upload_cancelled",
};

/** Returns the outro as the API shows it. */
export function viewOutro({ slug, label, serving_id, asset }: OutroRecord): Outro {
	return {
		id: asset.id,
		slug,
		state: states[asset.state],
		label,
		serving_outro_id: serving_id,
		failure_reason: ownReasons[asset.state] ?? asset.failure_reason,
		content_type: asset.content_type,
		file_size: asset.file_size,
		duration_seconds: asset.duration_seconds === null ? null : Math.round(asset.duration_seconds * 1000) / 1000,
		width: asset.width,
		height: asset.height,
		created_at: asset.created_at.toISOString(),
		updated_at: asset.updated_at.toISOString(),
	};
}
