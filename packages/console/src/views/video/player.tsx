import type { Chapter, Player as MadePlayer, PlayerState } from "@reelmill/browser/player";
import { useEffect, useRef, useState } from "react";
import { useApi } from "../../api/api.tsx";
import { Progress } from "../../components/meter.tsx";
import { Problem } from "../../components/problem.tsx";
import { loadPart } from "../../loading/load-part.ts";
import { servedHere } from "../../playback/served-here.ts";
import { useViewer } from "../../playback/use-playback-key.ts";
import { failureNames, isMoving, stateNames, type VideoView } from "../../playback/video-state.tsx";
import styles from "./player.module.css";
import { Captions, Chapters } from "./player-extras.tsx";
import { playerElementId } from "./seek.ts";

/** The player, with a key of this account for this video alone; before there is anything to play, why. */
export function Player({ video }: { video: VideoView }) {
	if (video.state === "available" && video.outputs !== null) return <Playing key={video.visibility} video={video} />;
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
	const element = useRef<HTMLVideoElement>(null);
	const { call } = useApi();
	const viewer = useViewer();
	const [state, setState] = useState<PlayerState | null>(null);
	const [player, setPlayer] = useState<MadePlayer | null>(null);
	const [chapters, setChapters] = useState<readonly Chapter[]>([]);
	const [missing, setMissing] = useState<unknown>(null);
	const { id, visibility } = video;
	const outputs = servedHere(id, video.outputs);
	const sameOutputs = JSON.stringify(outputs);
	// A new object of the same video must not start the playback again.
	// biome-ignore lint/correctness/useExhaustiveDependencies: `sameOutputs` stands for `outputs`.
	useEffect(() => {
		let begun: MadePlayer | undefined;
		let isLeft = false;
		void loadPart(() => import("@reelmill/browser/player")).then(({ createPlayer }) => {
			if (isLeft || element.current === null) return;
			const key = () => call("createPlaybackKey", { body: { viewer_ref: viewer, video_ids: [id], ttl_seconds: 3600 } });
			const made = createPlayer({ element: element.current, video: { id, visibility, outputs }, key });
			made.state.subscribe(setState);
			begun = made;
			setPlayer(made);
			// A video plays without its chapters as well.
			made.loadChapters().then(setChapters, () => undefined);
		}, setMissing);
		return () => {
			isLeft = true;
			begun?.destroy();
		};
	}, [call, viewer, id, visibility, sameOutputs]);
	return (
		<div className={styles.player}>
			{/* biome-ignore lint/a11y/useMediaCaption: The transcript stands below, and is none of this page's files. */}
			<video id={playerElementId} ref={element} className={styles.picture} controls playsInline preload="metadata" />
			<Problem error={missing} advice="Reload the page, and try again." />
			{player && state && state.captions.length > 0 && <Captions player={player} state={state} />}
			{chapters.length > 0 && <Chapters chapters={chapters} />}
			{state?.status === "failed" && <Problem error={state.error} advice="Reload the page, and try again." />}
		</div>
	);
}
