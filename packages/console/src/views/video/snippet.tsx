import { Code } from "../../components/copy.tsx";
import { Panel } from "../../components/panel.tsx";
import type { VideoView } from "../../playback/video-state.tsx";

/** What a tenant's page needs to play this video, ready to copy. */
export function Snippet({ video: { id, visibility } }: { video: VideoView }) {
	const key =
		visibility === "private"
			? `\n\tkey: () => fetch("/my-backend/playback-key", { method: "POST" }).then((answer) => answer.json()),`
			: "";
	const page = `import { createPlayer } from "@reelmill/browser/player";

const video = await (await fetch("/my-backend/videos/${id}")).json();
createPlayer({
	element: document.querySelector("video"),
	video,${key}
});`;
	const backend = `import { createReelmill } from "@reelmill/node";

const reelmill = createReelmill({ baseUrl: "${window.location.origin}", apiKey: process.env.REELMILL_API_KEY });
const video = await reelmill.videos.get("${id}");${
		visibility === "private"
			? `\nconst key = await reelmill.playbackKeys.create({ viewer_ref: "viewer-1", video_ids: ["${id}"] });`
			: ""
	}`;
	return (
		<Panel title="Play it on your page">
			<div className="columns">
				<div className="stack">
					<h3>In the page</h3>
					<Code text={page} label="Copy the page's code" />
				</div>
				<div className="stack">
					<h3>On your back end</h3>
					<Code text={backend} label="Copy the back end's code" />
				</div>
			</div>
		</Panel>
	);
}
