import type { Player } from "@reelmill/browser/player";

const playlist = "application/vnd.apple.mpegurl";

/**
 * Lets Safari hand a video to AirPlay: a television can't play a Media Source, so its playlist stands beside that.
 * Does nothing elsewhere, and for a video without hls.js.
 */
export function offerAirPlay(media: HTMLVideoElement, player: Player, url: string | null): void {
	if (!("WebKitPlaybackTargetAvailabilityEvent" in globalThis) || !player.hls || !url) return;
	if (media.querySelector(`source[type="${playlist}"]`)) return;
	media.append(Object.assign(document.createElement("source"), { type: playlist, src: url }));
	media.disableRemotePlayback = false;
}
