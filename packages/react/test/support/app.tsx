import type { PlayerOptions } from "@reelmill/browser/player";
import { createUploader } from "@reelmill/browser/upload";
import { ReelmillPlayer, ReelmillUploader, usePlayer, useStore, useUploader } from "@reelmill/react";
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
	const [video, setVideo] = useState<PlayerOptions["video"]>();
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

/** What a page can see of the components: how often each of these happened. */
const seen: Record<string, number> = {};
const saw = (name: string) => () => {
	seen[name] = (seen[name] ?? 0) + 1;
};
Object.assign(globalThis, { seen });
const attached = () => saw("cleaned");

/** What React knows of any element: at the first step it is there, at the second it is not, at the third nothing is. */
function Passed() {
	const [step, setStep] = useState(0);
	const isFirst = step === 1;
	return (
		<section>
			<button type="button" onClick={() => setStep(step + 1)}>
				Next
			</button>
			{(isFirst || step === 2) && (
				<>
					<ReelmillPlayer
						ref={attached}
						backEnd="/video"
						videoId="video-1"
						className="one two"
						style={{ width: isFirst ? 200 : 300 }}
						autoPlay={isFirst}
						muted={isFirst}
						aria-busy={isFirst}
						data-step={step}
						tabIndex={0}
						itemProp="video"
						words={isFirst ? { play: "Go" } : undefined}
						onClick={saw("click")}
						onCanPlay={saw("canplay")}
						onVolumeChange={saw("volumechange")}
					/>
					<ReelmillUploader hidden={isFirst} disabled={isFirst} initiate={isFirst ? () => ask("upload") : undefined} />
				</>
			)}
		</section>
	);
}

/** An uploader of the whole page: it goes on while the view that shows it is away. */
const outer = createUploader({ initiate: () => ask("upload") });

function Outer() {
	const { items } = useUploader({ uploader: outer });
	return (
		<>
			<ReelmillUploader uploader={outer} multiple />
			<output>outer: {items.map(({ state }) => state.status).join()}</output>
		</>
	);
}

function Leaves() {
	const [isHere, setHere] = useState(true);
	return (
		<article>
			<button type="button" onClick={() => setHere(!isHere)}>
				{isHere ? "Leave" : "Return"}
			</button>
			{isHere && <Outer />}
		</article>
	);
}

export const App = () => (
	<StrictMode>
		<Videos />
		<OwnUploader />
		<OwnPlayer />
		<Passed />
		<Leaves />
	</StrictMode>
);
