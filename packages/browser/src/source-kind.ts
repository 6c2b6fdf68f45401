import type { Codec } from "./codec-choice.ts";
import { PlayerError } from "./player-error.ts";
import type { PlayerOptions } from "./player-options.ts";

/** The browser's Media Source: the managed one where there is one, as on iPhones; undefined where there is none. */
export const mediaSource = (): typeof MediaSource | undefined => {
	const { ManagedMediaSource, MediaSource } = globalThis as {
		ManagedMediaSource?: typeof globalThis.MediaSource;
		MediaSource?: typeof globalThis.MediaSource;
	};
	return ManagedMediaSource ?? MediaSource;
};

const types: readonly (readonly [Codec, string])[] = [
	["h264", 'video/mp4; codecs="avc1.4d401f"'],
	["av1", 'video/mp4; codecs="av01.0.08M.08"'],
];

/** The codecs that this browser plays from a Media Source; none if it has no Media Source. */
export const playableCodecs = (): Codec[] =>
	types.filter(([, type]) => mediaSource()?.isTypeSupported(type)).map(([codec]) => codec);

/** The states that `isFinalState` of the client tells; calling that costs the player 19 bytes over its bound. */
const isOver = /^(?:available|failed|timeout|expired|cancelled)$/;

/**
 * Chooses how a video plays: by HLS through Media Source; a public one by the browser's own HLS, which can't send a
 * key; otherwise as an MP4.
 * @throws {PlayerError} `not_playable` (of a video that is over, with the reason `failed`) or `unsupported`
 */
export function chooseSource(
	{ outputs, state }: PlayerOptions["video"],
	isPrivate: boolean,
	element: Pick<HTMLMediaElement, "canPlayType">,
): { kind: "hls" | "native" | "file"; url: string } {
	const { hls_url, mp4_url } = outputs ?? {};
	if (!hls_url && !mp4_url)
		throw new PlayerError(
			"not_playable",
			"The video has nothing to play.",
			state && isOver.test(state) ? { reason: "failed" } : {},
		);
	if (hls_url && playableCodecs().length > 0) return { kind: "hls", url: hls_url };
	if (hls_url && !isPrivate && element.canPlayType("application/vnd.apple.mpegurl"))
		return { kind: "native", url: hls_url };
	if (!mp4_url) throw new PlayerError("unsupported", "This browser can't play this video.");
	return { kind: "file", url: mp4_url };
}
