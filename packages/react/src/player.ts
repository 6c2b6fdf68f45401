import "@reelmill/elements/player";
import type { Player } from "@reelmill/browser/player";
import type { ReelmillPlayer as Element } from "@reelmill/elements/player";
import { type ForwardRefExoticComponent, forwardRef, type RefAttributes } from "react";
import { type CommonProps, useElement } from "./element.ts";

/** The properties of `ReelmillPlayer`. */
export type ReelmillPlayerProps = CommonProps &
	Partial<
		Pick<Element, "video" | "playerOptions" | "words" | "backEnd" | "videoId" | "preload" | "codec"> &
			Pick<Element, "audioOnly" | "autoplay" | "loop" | "muted" | "title">
	> & {
		/** Asks your back end for a playback key. React keeps `key` to itself, so it is not called that. */
		playbackKey?: Element["key"];
		/** Where the playback begins, in seconds. */
		startTime?: number;
		/** Called when the player can play. */
		onReady?: (player: Player) => void;
		/** Called with the error that ended the playback: a PlayerError, or an error of your back end. */
		onError?: (error: Error) => void;
		onPlay?: () => void;
		onPause?: () => void;
		onEnded?: () => void;
		/** Called several times a second while the video plays. */
		onTimeUpdate?: (seconds: number) => void;
	};

/**
 * `<reelmill-player>` as a component. Its `ref` is the element.
 * @example
 * ```ts
 * import { ReelmillPlayer } from "@reelmill/react";
 * import { createElement } from "react";
 * import { renderToString } from "react-dom/server";
 *
 * const html = renderToString(createElement(ReelmillPlayer, { backEnd: "/my-backend", videoId: "video-1" }));
 * console.log(html); // => <reelmill-player back-end="/my-backend" video-id="video-1"></reelmill-player>
 * ```
 */
export const ReelmillPlayer: ForwardRefExoticComponent<ReelmillPlayerProps & RefAttributes<Element>> = forwardRef<
	Element,
	ReelmillPlayerProps
>(function ReelmillPlayer(props, ref) {
	return useElement("reelmill-player", ref, props, {
		attributes: {
			"back-end": props.backEnd,
			"video-id": props.videoId,
			preload: props.preload,
			codec: props.codec,
			"start-time": props.startTime,
			"audio-only": props.audioOnly,
			autoplay: props.autoplay,
			loop: props.loop,
			muted: props.muted,
			title: props.title,
		},
		// The key comes before the video that needs it.
		properties: {
			key: props.playbackKey,
			playerOptions: props.playerOptions,
			words: props.words,
			video: props.video,
		},
		listeners: {
			playerready: (event) => props.onReady?.(event.detail.player),
			playererror: (event) => props.onError?.(event.detail.error),
			play: () => props.onPlay?.(),
			pause: () => props.onPause?.(),
			ended: () => props.onEnded?.(),
			timeupdate: ({ target }) => props.onTimeUpdate?.((target as Element).currentTime),
		},
	});
});
