import type { Player } from "@reelmill/browser/player";

const playlist = "application/vnd.apple.mpegurl";
const offered = (media: HTMLVideoElement) => media.querySelector(`source[type="${playlist}"]`);

/**
 * Lets Safari hand a video to AirPlay: a television can't play a Media Source, so its playlist stands beside that.
 * Does nothing elsewhere, and for a video without hls.js.
 */
export function offerAirPlay(media: HTMLVideoElement, player: Player, url: string | null): void {
	if (!("WebKitPlaybackTargetAvailabilityEvent" in globalThis) || !player.hls || !url) return;
	if (offered(media)) return;
	media.append(Object.assign(document.createElement("source"), { type: playlist, src: url }));
	media.disableRemotePlayback = false;
}

/**
 * Takes the playlist away. It goes before the player does, whose end loads what is left. hls.js has a source of its own
 * there with a managed Media Source, and takes that away itself.
 */
export const withdrawAirPlay = (media: HTMLVideoElement): void => offered(media)?.remove();
