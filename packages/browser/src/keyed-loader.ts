import { type HlsConfig, type LoaderCallbacks, type LoaderConfiguration, type LoaderContext, XhrLoader } from "hls.js";
import type { DeliveryAccess } from "./delivery-access.ts";
import { asPlayerError, errorFromBody, isPage, type PlayerError } from "./player-error.ts";

/** Whether an answer says that the service is busy. The loader itself waits then, for as long as the answer asks. */
export const isBusy = (status: number): boolean => status === 429 || status === 503;

/**
 * Extends the loader of hls.js so that each request to the delivery plane has the key. The loader opens the request
 * itself: hls.js passes it unopened, and calls a set-up that throws a second time. After a 401 it tries once more with
 * a new key. A busy service it asks again, up to six times, when the service wants that: hls.js does not read
 * `Retry-After`. `onRefused` is called with a refusal of the service, also if it wants a wait of more than half a
 * minute, and with a second failure of the page's key in a row, because hls.js would try the other levels first, which
 * takes half a minute. `onKey` is called with each failure of the key, and with undefined when there is one.
 */
export function keyedLoader(
	access: DeliveryAccess,
	onRefused: (error: unknown) => void,
	onKey: (failure: unknown) => void,
): typeof XhrLoader {
	let keyFailures = 0;
	return class KeyedLoader extends XhrLoader {
		private sent: string | undefined;

		constructor(config: HlsConfig) {
			super({ ...config, xhrSetup: (xhr, url) => this.open(xhr, url) });
		}

		override load(
			context: LoaderContext,
			config: LoaderConfiguration,
			callbacks: LoaderCallbacks<LoaderContext>,
		): void {
			let renewed = false;
			let waits = 0;
			super.load(context, config, {
				...callbacks,
				onSuccess: (response, stats, about, details) => {
					if (!isPage((details as XMLHttpRequest).getResponseHeader("content-type")))
						return callbacks.onSuccess(response, stats, about, details);
					onRefused(errorOf(details));
					callbacks.onError({ code: 0, text: "" }, about, details, stats);
				},
				onError: (error, about, details, stats) => {
					const { code } = error;
					if (code === 401 && !renewed && access.refused(context.url, this.sent)) {
						renewed = true;
						return this.loadInternal();
					}
					const seconds = Math.max(2 ** waits++ / 2, Number(this.getResponseHeader("retry-after")));
					if (isBusy(code) && seconds <= 30) {
						this.retryTimeout = self.setTimeout(() => this.loadInternal(), seconds * 1000);
						return;
					}
					if (code === 503 || (code >= 400 && code < 500)) onRefused(errorOf(details));
					callbacks.onError(error, about, details, stats);
				},
			});
		}

		private async open(xhr: XMLHttpRequest, url: string): Promise<void> {
			if (xhr.readyState !== 0) throw new Error("No playback key.");
			try {
				this.sent = await access.authorization(url);
				keyFailures = 0;
				onKey(undefined);
			} catch (error) {
				const isFinal = ++keyFailures === 2 || asPlayerError(error).code !== "key_unavailable";
				onKey(error);
				if (isFinal) onRefused(error);
				throw error;
			}
			xhr.open("GET", url, true);
			if (this.sent) xhr.setRequestHeader("Authorization", this.sent);
		}
	};
}

/** Reads the service's error from a request that hls.js made. */
export function errorOf(details: unknown): PlayerError {
	const xhr = details as XMLHttpRequest;
	const body = xhr.response instanceof ArrayBuffer ? new TextDecoder().decode(xhr.response) : xhr.response;
	// A question for a header that the service hides would be an error in the page's console.
	const requestId = /^x-request-id: *(\S+)/im.exec(xhr.getAllResponseHeaders())?.[1];
	return errorFromBody(xhr.status, String(body ?? ""), requestId);
}
