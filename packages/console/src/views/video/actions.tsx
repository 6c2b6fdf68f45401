import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { useIsAdmin } from "../../api/session.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { isMoving, mayBeReprocessed, type VideoView } from "../../playback/video-state.tsx";
import { Reprocess } from "./reprocess.tsx";

/** What can be changed of a video. Who may watch can be changed back; the rest asks first, and says what goes with it. */
export function Actions({ video }: { video: VideoView }) {
	const isAdmin = useIsAdmin();
	const isReprocessable = isAdmin && video.state === "failed" && mayBeReprocessed(video.failure_reason);
	const isDeletable = video.state !== "expired" && video.state !== "cancelled";
	return (
		<>
			{isReprocessable && <Reprocess id={video.id} />}
			<Visibility video={video} />
			{isMoving(video) && <Cancel id={video.id} />}
			{isDeletable && <Delete video={video} />}
		</>
	);
}

function Visibility({ video: { id, visibility } }: { video: VideoView }) {
	const [isAsked, setIsAsked] = useState(false);
	const next = visibility === "public" ? "private" : "public";
	const change = useAction("updateVideoVisibility", {
		changes: ["getVideo", "listVideos"],
		onSuccess: () => setIsAsked(false),
	});
	return (
		<>
			<Button onPress={() => setIsAsked(true)}>Make {next}</Button>
			<Confirm
				title={`Make this video ${next}?`}
				verb={`Make ${next}`}
				isOpen={isAsked}
				isPending={change.isPending}
				error={change.error}
				onConfirm={() => change.mutate({ params: { id }, body: { visibility: next } })}
				onClose={() => setIsAsked(false)}
			>
				{next === "public" ? (
					<p>Within a minute, anyone with the address can watch it without a key. You can make it private again.</p>
				) : (
					<p>
						Within a minute, watching it needs a playback key. Caches may show their copies for up to 24 hours. You can
						make it public again.
					</p>
				)}
			</Confirm>
		</>
	);
}

function Cancel({ id }: { id: string }) {
	const [isAsked, setIsAsked] = useState(false);
	const cancel = useAction("cancelVideo", { onSuccess: () => setIsAsked(false) });
	return (
		<>
			<Button onPress={() => setIsAsked(true)}>Cancel</Button>
			<Confirm
				title="Cancel this video?"
				verb="Cancel the video"
				isOpen={isAsked}
				isPending={cancel.isPending}
				error={cancel.error}
				onConfirm={() => cancel.mutate({ params: { id } })}
				onClose={() => setIsAsked(false)}
			>
				<p>
					The uploaded data is removed, its encoding stops, and your webhook gets <code>video.cancelled</code>. This
					can't be undone.
				</p>
			</Confirm>
		</>
	);
}

function Delete({ video }: { video: VideoView }) {
	const { id, state, file_size, outputs, external_ref } = video;
	const { slug } = useDomain();
	const [isAsked, setIsAsked] = useState(false);
	const navigate = useNavigate();
	const remove = useAction("deleteVideo", {
		changes: ["listVideos", "countVideos", "getUsage"],
		onSuccess: () => void navigate({ to: "/d/$domain/videos", params: { domain: slug } }),
	});
	return (
		<>
			<Button kind="danger" onPress={() => setIsAsked(true)}>
				Delete
			</Button>
			<Confirm
				title={`Delete ${external_ref ?? "this video"}?`}
				verb="Delete the video"
				typed={id.slice(0, 8)}
				isOpen={isAsked}
				isPending={remove.isPending}
				error={remove.error}
				onConfirm={() => remove.mutate({ params: { id } })}
				onClose={() => setIsAsked(false)}
			>
				<p>This deletes, for good:</p>
				<ul className="listed">
					{outputs === null ? (
						<li>the upload of {formatBytes(file_size)}</li>
					) : (
						<li>
							{outputs.renditions.length} renditions, its pictures{outputs.mp4_url === null ? "" : ", web.mp4"}, its
							transcript and its frames
						</li>
					)}
					<li>every address where it plays: viewers are refused within 5 seconds</li>
					{isMoving({ state }) && <li>the work on it: your webhook gets video.cancelled</li>}
				</ul>
			</Confirm>
		</>
	);
}
