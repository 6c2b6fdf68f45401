/** The groups of operations in the reference, in their order. */
export const tags = {
	Videos: "Initiate uploads, follow and manage videos.",
	Uploads: "The resumable transfer (tus 1.0.0), with the token that initiating an upload gave.",
	Imports: "Videos that the service fetches from an address.",
	"Playback keys": "Short-lived credentials for the viewers of private videos.",
	Delivery:
		"Playlists, media, images and captions, for players. A private video needs a playback key as `Authorization: Bearer` on every request; a public one is served to anyone. An unknown id answers as a private video does. Single ranges, ETag, If-None-Match and If-Range are understood.",
	Webhooks: "The log of deliveries, replays, and the secret.",
	Outros: "Branded tail cards, appended to web.mp4 only.",
	Domain: "The tenant itself: configuration, key, limits, usage.",
	Storage: "Where new videos are stored.",
	Sandbox: "Try it without signing up.",
	Service: "Health, metrics, this document.",
	Jobs: "The plane of workers.",
	Admin: "The plane of the operator.",
	Console: "Signing in to the web console.",
} as const;
export type Tag = keyof typeof tags;
