import { errorFromAnswer } from "@reelmill/client";
import type { ErrorData, RetryConfig } from "hls.js";
import { type Codec, isOf } from "./codec-choice.ts";
import type { DeliveryAccess } from "./delivery-access.ts";
import { keyedLoader } from "./keyed-loader.ts";
import { asPlayerError, PlayerError } from "./player-error.ts";

type Module = typeof import("hls.js");
export type HlsSource = { attach(element: HTMLMediaElement): void; destroy(): void };

/**
 * Creates a source that loads a master playlist through hls.js and plays it in the attached element. It calls `onReady`
 * when the playlist is parsed, and `onError` when the playback ends with an error. It recovers from one decoding error.
 */
export function createHlsSource(
	{ default: Hls, XhrLoader }: Module,
	options: {
		url: string;
		access: DeliveryAccess;
		codec: Codec | undefined;
		onReady: () => void;
		onError: (error: PlayerError) => void;
	},
): HlsSource {
	const { url, access, codec, onReady, onError } = options;
	let keyFailure: unknown;
	let recovered = false;
	const policies = ["manifestLoadPolicy", "playlistLoadPolicy", "fragLoadPolicy"] as const;
	const hls = new Hls({
		autoStartLoad: false,
		loader: keyedLoader(XhrLoader, access, (error) => {
			keyFailure = error;
		}),
		...Object.fromEntries(policies.map((name) => [name, withRetries(Hls.DefaultConfig[name])])),
	});
	hls.on(Hls.Events.MANIFEST_PARSED, () => {
		const levels = hls.levels.map(({ videoCodec }) => codec === undefined || isOf(codec, videoCodec));
		if (levels.includes(true))
			for (const index of [...levels.keys()].reverse()) if (!levels[index]) hls.removeLevel(index);
		hls.startLoad();
		onReady();
	});
	hls.on(Hls.Events.ERROR, (_, data) => {
		if (!data.fatal) return;
		if (data.type === Hls.ErrorTypes.MEDIA_ERROR && !recovered) {
			recovered = true;
			return hls.recoverMediaError();
		}
		onError(explain(data, keyFailure, Hls));
	});
	hls.loadSource(url);
	return { attach: (element) => hls.attachMedia(element), destroy: () => hls.destroy() };
}

/** Makes hls.js retry a broken connection (status 0) too: it does so only if the browser says that it is offline. */
function withRetries<P extends { default: { errorRetry: RetryConfig | null } }>(policy: P): P {
	const shouldRetry: RetryConfig["shouldRetry"] = (config, count, _timeout, response, retry) =>
		retry || (response?.code === 0 && count < (config?.maxNumRetry ?? 0));
	const { errorRetry } = policy.default;
	return errorRetry === null
		? policy
		: { ...policy, default: { ...policy.default, errorRetry: { ...errorRetry, shouldRetry } } };
}

function explain(data: ErrorData, keyFailure: unknown, Hls: Module["default"]): PlayerError {
	if (data.type !== Hls.ErrorTypes.NETWORK_ERROR)
		return new PlayerError("media_error", `The browser could not play the video (${data.details}).`, data.error);
	const status = data.response?.code ?? 0;
	if (status >= 400) return asPlayerError(errorFromAnswer({ status, body: bodyOf(data.networkDetails) }));
	if (keyFailure !== undefined) return asPlayerError(keyFailure);
	return new PlayerError("network_error", `The video could not be loaded (${data.details}).`, data.error);
}

function bodyOf(details: unknown): string {
	if (!(details instanceof XMLHttpRequest)) return "";
	if (details.responseType === "arraybuffer")
		return details.response instanceof ArrayBuffer ? new TextDecoder().decode(details.response) : "";
	return details.responseType === "" || details.responseType === "text" ? details.responseText : "";
}
