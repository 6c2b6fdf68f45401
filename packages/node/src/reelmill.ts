import { type CallInput, type CallOptions, type CallResult, type Client, createClient, type RetryOptions } from "@reelmill/client";
import type { DomainConfigPatch } from "@reelmill/contracts";
import { createVideos, type Videos } from "./videos.ts";

export type ReelmillOptions = {
	/** Where the service is, for example `https://video.example.com`. */
	baseUrl: string;
	/** The domain's key (`ek_...`), or a function that gives it, asked for each call. It never belongs in a browser. */
	apiKey: string | (() => string | Promise<string>);
	/** A `fetch` to use instead of Node's. */
	fetch?: typeof fetch;
	retry?: RetryOptions;
	/** Seconds that one try of a call may take; 60 unless told. */
	timeoutSeconds?: number;
};

export type Reelmill = {
	videos: Videos;
	playbackKeys: {
		/** Mints a key with which one viewer plays private videos; hand it to that viewer's browser. `ttl_seconds` is 3600 unless told. */
		create(input: CallInput<"createPlaybackKey">["body"], options?: CallOptions): Promise<CallResult<"createPlaybackKey">>;
	};
	domain: {
		get(options?: CallOptions): Promise<CallResult<"getDomain">>;
		/** Merges the patch into the configuration and gives the whole domain: arrays replace, `outputs` merges. */
		updateConfig(patch: DomainConfigPatch, options?: CallOptions): Promise<CallResult<"updateDomainConfig">>;
	};
	/** The typed client underneath, for every other operation. */
	client: Client;
};

/**
 * The tenant back end's SDK. It opens nothing by itself; any number of calls may run at once.
 * Every call throws a ReelmillError for an error answer and a ConnectionError when none came.
 * @throws TypeError for a `baseUrl` that is no absolute URL
 */
export function createReelmill({ apiKey, ...options }: ReelmillOptions): Reelmill {
	const client = createClient({ ...options, credential: apiKey });
	return {
		client,
		videos: createVideos(client),
		playbackKeys: { create: (body, call) => client.call("createPlaybackKey", { body }, call) },
		domain: {
			get: (call) => client.call("getDomain", {}, call),
			updateConfig: (body, call) => client.call("updateDomainConfig", { body }, call),
		},
	};
}
