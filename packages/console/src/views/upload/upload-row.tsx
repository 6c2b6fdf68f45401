import { Link } from "@tanstack/react-router";
import { useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Progress } from "../../components/meter.tsx";
import { Problem } from "../../components/problem.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { formatBytes, formatDuration } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { failureNames, VideoState } from "../../playback/video-state.tsx";
import { isOver, type Upload, useUploadState } from "../../uploads/uploads.ts";
import { pollMilliseconds } from "./poll.ts";
import styles from "./upload-row.module.css";

type UploadRowProps = {
	upload: Upload;
	/** How many rows there are, this one included. */
	rows: number;
	onRemove: () => void;
};

/** One upload: how far it is, how long it will take, and its buttons. */
export function UploadRow({ upload, rows, onRemove }: UploadRowProps) {
	const { slug } = useDomain();
	const state = useUploadState(upload);
	const { status, bytesSent, bytesTotal, speedBytesPerSecond, secondsLeft, videoId, error } = state;
	const { controller, name } = upload;
	const isRunning = status === "preparing" || status === "uploading" || status === "retrying";
	const speed = speedBytesPerSecond === null ? "" : `, ${formatBytes(speedBytesPerSecond)}/s`;
	const left = secondsLeft === null || !isRunning ? "" : `, ${formatDuration(Math.max(1, secondsLeft))} left`;
	return (
		<li className={styles.row}>
			<div className="row">
				<strong>{name}</strong>
				{status === "done" && videoId !== null ? (
					<Processing id={videoId} rows={rows} />
				) : (
					<StateBadge state={status} tone={tones[status]} />
				)}
				{state.resumedFromBytes !== null && (
					<span className="muted small">resumed at {formatBytes(state.resumedFromBytes)}</span>
				)}
			</div>
			<div className="row">
				{isRunning && (
					<Button size="small" aria-label={`Pause ${name}`} onPress={controller.pause}>
						Pause
					</Button>
				)}
				{status === "paused" && (
					<Button size="small" aria-label={`Resume ${name}`} onPress={controller.resume}>
						Resume
					</Button>
				)}
				{(status === "failed" || (isOver(state) && status !== "done" && state.endedElsewhere)) && (
					<Button size="small" onPress={() => void controller.start().catch(() => undefined)}>
						{status === "failed" ? "Try again" : "Upload it again"}
					</Button>
				)}
				{videoId !== null && status !== "cancelled" && status !== "expired" && (
					<Link to="/d/$domain/videos/$id" params={{ domain: slug, id: videoId }}>
						Open the video
					</Link>
				)}
				{isOver(state) ? (
					<Button size="small" kind="quiet" aria-label={`Clear ${name}`} onPress={onRemove}>
						Clear
					</Button>
				) : (
					<Button size="small" kind="quiet" aria-label={`Cancel ${name}`} onPress={() => void controller.cancel()}>
						Cancel
					</Button>
				)}
			</div>
			{!isOver(state) && (
				<div className={styles.wide}>
					<Progress label={`Upload of ${name}`} share={bytesTotal === 0 ? 0 : bytesSent / bytesTotal} />
				</div>
			)}
			<div className={`${styles.wide} muted small numeric`}>
				{formatBytes(bytesSent)} of {formatBytes(bytesTotal)}
				{isRunning && speed}
				{left}
			</div>
			{error !== null && (
				<div className={styles.wide}>
					<Problem error={error} advice={status === "retrying" ? "It will try again by itself." : undefined} />
				</div>
			)}
		</li>
	);
}

/** What becomes of the video once all of it is sent. */
function Processing({ id, rows }: { id: string; rows: number }) {
	const { data: video } = useCall("getVideo", { params: { id } }, { every: (seen) => pollMilliseconds(seen, rows) });
	if (video === undefined) return <StateBadge state="uploaded" tone="busy" />;
	return (
		<>
			<VideoState video={video} />
			{video.failure_reason !== null && <span className="small">{failureNames[video.failure_reason]}</span>}
		</>
	);
}

const tones = {
	idle: "idle",
	waiting: "idle",
	preparing: "busy",
	uploading: "busy",
	retrying: "warn",
	paused: "idle",
	done: "busy",
	failed: "bad",
	cancelled: "idle",
	expired: "warn",
} as const;
