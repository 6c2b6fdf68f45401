/** Commands and code for one installation and domain, ready to copy. A key is never among them: it has a variable. */
export type Commands = {
	readonly key: string;
	readonly upload: string;
	readonly uploadCode: string;
	readonly play: string;
	readonly webhook: string;
	readonly verify: string;
};

export function commandsFor(baseUrl: string): Commands {
	return {
		key: `export REELMILL_URL=${baseUrl}
export REELMILL_API_KEY=ek_…   # yours
curl -H "Authorization: Bearer $REELMILL_API_KEY" ${baseUrl}/v1/domain`,
		upload: "npx reelmill upload clip.mp4 --wait",
		uploadCode: `import { createReelmill } from "@reelmill/node";

const reelmill = createReelmill({ baseUrl: "${baseUrl}", apiKey: process.env.REELMILL_API_KEY });
const sent = await reelmill.videos.upload("clip.mp4", { external_ref: "lesson-1" });
const video = await reelmill.videos.wait(sent.id);
console.log(video.state, video.outputs?.hls_url);`,
		play: `import { createPlayer } from "@reelmill/browser/player";

// Your back end answers with videos.get(id), and with playbackKeys.create({ viewer_ref, video_ids: [id] }).
const ask = async (path) => (await fetch(path, { method: "POST" })).json();
createPlayer({
	element: document.querySelector("video"),
	video: await ask("/my-backend/video"),
	key: () => ask("/my-backend/playback-key"),
});`,
		webhook: `export REELMILL_WEBHOOK_SECRET=whsec_$(openssl rand -hex 24)
curl -X PATCH ${baseUrl}/v1/domain/config \\
	-H "Authorization: Bearer $REELMILL_API_KEY" -H "Content-Type: application/json" \\
	-d '{"webhook_url": "https://your.example/hooks/reelmill", "webhook_secret": "'$REELMILL_WEBHOOK_SECRET'"}'`,
		verify: `import { verifyWebhook } from "@reelmill/node";

app.post("/hooks/reelmill", raw({ type: "application/json" }), async (request, response) => {
	const { body: payload, headers } = request;
	const event = await verifyWebhook({ payload, headers, secret: process.env.REELMILL_WEBHOOK_SECRET });
	if (event.type === "video.ready") console.log(event.data.video.id, "can be played");
	response.sendStatus(204);
});`,
	};
}
