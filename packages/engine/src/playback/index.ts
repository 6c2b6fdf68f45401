export { createMintOrder } from "./mint-order.ts";
export { createPlayback, type Playback, type PlaybackClaims, type PlaybackTarget } from "./playback.ts";
