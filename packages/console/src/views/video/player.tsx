import { useEffect, useState } from "react";
import { useApi } from "../../api/api.tsx";
import { Progress } from "../../components/meter.tsx";
import { Problem } from "../../components/problem.tsx";
import { loadPart } from "../../loading/load-part.ts";
import { servedHere } from "../../playback/served-here.ts";
import { useViewer } from "../../playback/use-playback-key.ts";
import { failureNames, isMoving, stateNames, type VideoView } from "../../playback/video-state.tsx";
import styles from "./player.module.css";

type Element = typeof import("./player-element.ts").ReelmillPlayer;

/** The player, with a key of this account for this video alone; before there is anything to play, why. */
export function Player({ video }: { video: VideoView }) {
	if (video.state === "available" && video.outputs !== null) return <Playing video={video} />;
	return (
		<div className={styles.nothing}>
			<strong>
				{isMoving(video) ? "Nothing to play yet" : "Nothing to play"}: {stateNames[video.state]}
			</strong>
			{video.failure_reason !== null && <span>{failureNames[video.failure_reason]}</span>}
			{video.state === "encoding" && <Progress label="Processing" share={video.progress / 100} />}
		</div>
	);
}

function Playing({ video }: { video: VideoView }) {
	const { call } = useApi();
	const viewer = useViewer();
	const [Element, setElement] = useState<Element | null>(null);
	const [missing, setMissing] = useState<unknown>(null);
	const { id, visibility } = video;
	// What else changes of a video must not start the playback again.
	const shown = { id, visibility, outputs: servedHere(id, video.outputs) };
	useEffect(() => {
		loadPart(() => import("./player-element.ts")).then((part) => setElement(() => part.ReelmillPlayer), setMissing);
	}, []);
	const key = () => call("createPlaybackKey", { body: { viewer_ref: viewer, video_ids: [id], ttl_seconds: 3600 } });
	return (
		<div className={styles.player}>
			{Element === null ? (
				<div className={styles.picture} />
			) : (
				<Element className={styles.picture} video={shown} playbackKey={key} />
			)}
			<Problem error={missing} advice="Reload the page, and try again." />
		</div>
	);
}
