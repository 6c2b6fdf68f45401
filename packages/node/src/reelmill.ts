import { type CallOptions, type Client, createClient, type RetryOptions } from "@reelmill/client";
import type { SandboxSession } from "@reelmill/contracts";
import {
	createDomainResource,
	createLimits,
	createUsage,
	type DomainResource,
	type Limits,
	type UsageResource,
} from "./domain.ts";
import { createOutros, type Outros } from "./outros.ts";
import { createPlaybackKeys, type PlaybackKeys } from "./playback-keys.ts";
import { createStorage, type StorageResource } from "./storage.ts";
import { createMemoryTickets, type TicketStore } from "./tickets.ts";
import { createVideos, type Videos } from "./videos.ts";
import { createWebhookDeliveries, type WebhookDeliveries } from "./webhook-deliveries.ts";

export type ReelmillOptions = {
	/** Where the service is, for example `https://video.example.com`. */
	baseUrl: string;
	/**
	 * The domain's key (`ek_...`), or a function that gives it, asked for each call. It never belongs in a browser. Only
	 * `sandbox.createSession` needs none.
	 */
	apiKey?: string | (() => string | Promise<string>) | undefined;
	/**
	 * Where `videos.initiateOrResume` keeps upload tickets; this process's memory unless told. Share one among the
	 * processes of one domain.
	 */
	tickets?: TicketStore;
	/** A `fetch` to use instead of Node's. */
	fetch?: typeof fetch;
	retry?: RetryOptions;
	/** Seconds that one try of a call may take; 60 unless told. */
	timeoutSeconds?: number;
};

export type Reelmill = {
	videos: Videos;
	playbackKeys: PlaybackKeys;
	domain: DomainResource;
	limits: Limits;
	usage: UsageResource;
	webhookDeliveries: WebhookDeliveries;
	outros: Outros;
	storage: StorageResource;
	sandbox: {
		/**
		 * A key for 24 hours, without signing up: it sees only its own videos. Three a day for one IP address, then
		 * `rate_limited`.
		 */
		createSession(options?: CallOptions): Promise<SandboxSession>;
	};
	/** The typed client underneath, for every other operation. */
	client: Client;
};

/**
 * The tenant back end's SDK. It opens nothing by itself; any number of calls may run at once.
 * Every call throws a ReelmillError for an error answer and a ConnectionError when none came.
 * @throws TypeError for a `baseUrl` that is no absolute URL
 */
export function createReelmill({ apiKey, tickets = createMemoryTickets(), ...options }: ReelmillOptions): Reelmill {
	const client = createClient({ ...options, ...(apiKey === undefined ? {} : { credential: apiKey }) });
	return {
		client,
		videos: createVideos(client, tickets),
		playbackKeys: createPlaybackKeys(client),
		domain: createDomainResource(client),
		limits: createLimits(client),
		usage: createUsage(client),
		webhookDeliveries: createWebhookDeliveries(client),
		outros: createOutros(client),
		storage: createStorage(client),
		sandbox: { createSession: (call) => client.call("createSandboxSession", {}, call) },
	};
}
