export { createPlayback, type Playback, type PlaybackClaims } from "./playback.ts";
