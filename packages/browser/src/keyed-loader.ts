import { type HlsConfig, type LoaderCallbacks, type LoaderConfiguration, type LoaderContext, XhrLoader } from "hls.js";
import type { DeliveryAccess } from "./delivery-access.ts";

/**
 * Extends the loader of hls.js so that each request to the delivery plane has the key. The loader opens the request
 * itself: hls.js passes it unopened, and calls a set-up that throws a second time. After a 401 it tries once more with
 * a new key before it tells hls.js, for which every 4xx is final.
 */
export function keyedLoader(access: DeliveryAccess, onKeyFailure: (error: unknown) => void): typeof XhrLoader {
	return class KeyedLoader extends XhrLoader {
		private sent: string | undefined;
		private ended = false;

		constructor(config: HlsConfig) {
			super({ ...config, xhrSetup: (xhr, url) => this.open(xhr, url) });
		}

		override load(
			context: LoaderContext,
			config: LoaderConfiguration,
			callbacks: LoaderCallbacks<LoaderContext>,
		): void {
			let renewed = false;
			super.load(context, config, {
				...callbacks,
				onError: (error, ...rest) => {
					const again = error.code === 401 && !renewed && !this.ended && access.refused(context.url, this.sent);
					if (!again) return callbacks.onError(error, ...rest);
					renewed = true;
					this.loadInternal();
				},
			});
		}

		override abort(): void {
			this.ended = true;
			super.abort();
		}

		override destroy(): void {
			this.ended = true;
			super.destroy();
		}

		private async open(xhr: XMLHttpRequest, url: string): Promise<void> {
			if (xhr.readyState !== 0) throw new Error("No playback key.");
			try {
				this.sent = await access.authorization(url);
			} catch (error) {
				onKeyFailure(error);
				throw error;
			}
			xhr.open("GET", url, true);
			if (this.sent) xhr.setRequestHeader("Authorization", this.sent);
		}
	};
}
