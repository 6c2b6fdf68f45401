import { createReelmill } from "@reelmill/node";

export async function publish(baseUrl: string, apiKey: string, path: string) {
	const reelmill = createReelmill({ baseUrl, apiKey });
	const { id } = await reelmill.videos.upload(path, { external_ref: "lesson-1" });
	const video = await reelmill.videos.wait(id, { onProgress: ({ state, progress }) => console.log(state, progress) });
	if (video.state !== "available") throw new Error(`${video.state}: ${video.failure_reason}`);
	const { playback_key } = await reelmill.playbackKeys.create({ viewer_ref: "user-1", video_ids: [id] });
	return { hls: video.outputs?.hls_url, playback_key };
}
