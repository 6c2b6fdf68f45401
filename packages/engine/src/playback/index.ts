export { createPlayback, type Playback, type PlaybackClaims, type PlaybackTarget } from "./playback.ts";
