import { Link } from "@tanstack/react-router";
import { Facts } from "../../components/facts.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatLength } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { failureNames, type VideoView } from "../../playback/video-state.tsx";

/** What a video is, in names and values. */
export function VideoFacts({ video }: { video: VideoView }) {
	const { slug } = useDomain();
	const { width, height, duration_seconds, outro_id, uploader_ref, external_ref } = video;
	return (
		<Facts
			rows={[
				["Failure", video.failure_reason === null ? undefined : failureNames[video.failure_reason]],
				["Visibility", video.visibility],
				["Length", duration_seconds === null ? "not known yet" : formatLength(duration_seconds)],
				["Picture", width === null || height === null ? "not known yet" : `${width} × ${height}`],
				["File", `${video.content_type}, ${formatBytes(video.file_size)}`],
				[
					"Name",
					external_ref === null ? null : (
						<Link key="external" to="/d/$domain/videos" params={{ domain: slug }} search={{ external_ref }}>
							{external_ref}
						</Link>
					),
				],
				[
					"Uploader",
					uploader_ref === null ? null : (
						<Link key="uploader" to="/d/$domain/videos" params={{ domain: slug }} search={{ uploader_ref }}>
							{uploader_ref}
						</Link>
					),
				],
				["Transcript", transcripts[video.transcript_status]],
				["Outro", outro_id === null ? undefined : outroOf(video)],
				["Created", <Time key="created" at={video.created_at} />],
				["Expires", video.expires_at === null ? undefined : <Time key="expires" at={video.expires_at} />],
			]}
		/>
	);
}

const outroOf = ({ outputs }: VideoView): string =>
	outputs === null
		? "will be at the end of the MP4 file"
		: outputs.web_mp4_outro_id === null
			? "left out"
			: "at the end of the MP4 file";

const transcripts: Readonly<Record<VideoView["transcript_status"], string>> = {
	disabled: "not requested",
	pending: "being made",
	available: "available",
	no_speech: "no speech found",
	unavailable: "no worker could make one",
	failed: "failed",
};
