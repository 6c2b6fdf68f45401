import { exampleVideo, type Video } from "@reelmill/contracts";

export const videoId = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";
const made = { id: videoId, baseUrl: "https://video.example.com", at: "2026-11-01T00:00:00.000Z" };

export const video = (more: Partial<Video> = {}): Video => ({
	...exampleVideo("webhook.test", made),
	expires_at: "2026-11-01T01:00:00.000Z",
	...more,
});

/** A video as `video.ready` tells of it. */
export const readyVideo = (more: Partial<Video> = {}) => {
	const { outputs, available_at } = exampleVideo("video.ready", made);
	return { ...video(), ...more, state: "available", outputs, available_at } as const;
};
