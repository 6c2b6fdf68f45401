import { usePlayer, useStore, useUploader } from "@reelmill/react";
import { StrictMode, useState } from "react";
import { Videos } from "../readme-example.tsx";

const ask = async (action: string) =>
	(await fetch("/video", { method: "POST", body: JSON.stringify({ action, video_id: "video-1" }) })).json();

/** A look of one's own, by the hooks. */
function OwnUploader() {
	const { items, add } = useUploader({ initiate: () => ask("upload") });
	return (
		<section>
			<input type="file" aria-label="own" onChange={({ target }) => add(target.files ?? [])} />
			<output>{items.map(({ state }) => state.status).join() || "nothing"}</output>
		</section>
	);
}

function OwnPlayer() {
	const [video, setVideo] = useState(null);
	const { ref, player, state } = usePlayer({ video, key: () => ask("playback_key") });
	return (
		<section>
			<button type="button" onClick={async () => setVideo(await ask("video"))}>
				Watch
			</button>
			<video ref={ref} muted />
			<output>{state?.status ?? "no video"}</output>
			{player && <Time player={player} />}
		</section>
	);
}

function Time({ player }: { player: NonNullable<ReturnType<typeof usePlayer>["player"]> }) {
	return <data value={useStore(player.playback).paused ? "paused" : "playing"} />;
}

export const App = () => (
	<StrictMode>
		<Videos />
		<OwnUploader />
		<OwnPlayer />
	</StrictMode>
);
