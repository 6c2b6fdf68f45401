export { edgeDigest } from "./edge-digest.ts";
export type { EdgeAnswer } from "./edge-feed.ts";
export {
	createPlayback,
	type Playback,
	type PlaybackClaims,
	type PlaybackNoun,
	type PlaybackTarget,
} from "./playback.ts";
