import "@reelmill/elements/player";
import type { Player } from "@reelmill/browser/player";
import type { ReelmillPlayer as Element } from "@reelmill/elements/player";
import { type ForwardRefExoticComponent, forwardRef, type RefAttributes } from "react";
import { type ElementProps, useElement } from "./element.ts";

/** The events of a video that React hears on a `<video>` alone, since they don't bubble. */
const mediaEvents = [
	...(["onPlay", "onPlaying", "onPause", "onEnded", "onSeeking", "onSeeked", "onWaiting"] as const),
	...(["onDurationChange", "onVolumeChange", "onRateChange", "onLoadStart", "onLoadedMetadata"] as const),
	...(["onLoadedData", "onCanPlay", "onCanPlayThrough", "onProgress", "onSuspend", "onStalled"] as const),
	...(["onAbort", "onEmptied"] as const),
];

/** The properties of `ReelmillPlayer`. */
export type ReelmillPlayerProps = ElementProps<
	Element,
	Pick<Element, "video" | "playerOptions" | "words" | "backEnd" | "videoId" | "preload" | "codec"> &
		Pick<Element, "chapters" | "audioOnly" | "autoplay" | "loop" | "muted" | "poster" | "title"> &
		Record<(typeof mediaEvents)[number], (event: Event) => void> & {
			/** The same as `autoplay`, as React spells it. */
			autoPlay: boolean;
			/** Asks your back end for a playback key. React keeps `key` to itself, so it is not called that. */
			playbackKey: Element["key"];
			/** Where the playback begins, in seconds. */
			startTime: number;
			/** Called when the player can play, once for each video. */
			onReady: (player: Player) => void;
			/** Called with the error that ended the playback: a PlayerError, or an error of your back end. */
			onError: (error: Error) => void;
			/** Called several times a second while the video plays. */
			onTimeUpdate: (seconds: number) => void;
		}
>;

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
	const { video, chapters, playbackKey, playerOptions, words, backEnd, videoId, startTime, ...rest } = props;
	const { audioOnly, autoplay, autoPlay = autoplay, onReady, onError, onTimeUpdate, ...others } = rest;
	const heard = mediaEvents.map((name) => [name.slice(2).toLowerCase(), others[name]] as const);
	const passed = { ...others, ...Object.fromEntries(mediaEvents.map((name) => [name, undefined])) };
	return useElement("reelmill-player", ref, passed, {
		attributes: {
			"back-end": backEnd,
			"video-id": videoId,
			"start-time": startTime,
			"audio-only": audioOnly,
			autoplay: autoPlay,
		},
		// The key comes before the video that needs it.
		properties: { key: playbackKey, playerOptions, words, video, chapters },
		listeners: {
			...Object.fromEntries(heard),
			playerready: (event) => onReady?.(event.detail.player),
			playererror: (event) => onError?.(event.detail.error),
			timeupdate: ({ target }) => onTimeUpdate?.((target as Element).currentTime),
		},
	});
});
