import {
	type CallOptions,
	type Client,
	type Credential,
	createClient,
	type Observers,
	type RetryOptions,
} from "@reelmill/client";
import type { SandboxSession } from "@reelmill/contracts";
import { type AuditLog, createAuditLog } from "./audit.ts";
import { type CaptionsResource, createCaptions } from "./captions.ts";
import { type ChaptersResource, createChapters } from "./chapters.ts";
import { type Clips, createClips } from "./clips.ts";
import {
	createDomainResource,
	createLimits,
	createUsage,
	type DomainResource,
	type Limits,
	type UsageResource,
} from "./domain.ts";
import { createErasures, type Erasures } from "./erasures.ts";
import { createImports, type Imports } from "./imports.ts";
import { neededKey } from "./needed-key.ts";
import { createOutros, type Outros } from "./outros.ts";
import { createPlaybackKeys, type PlaybackKeys } from "./playback-keys.ts";
import { createPosters, type PostersResource } from "./posters.ts";
import { createStorage, type StorageResource } from "./storage.ts";
import { createMemoryTickets, type TicketStore } from "./tickets.ts";
import { createVideos, type Videos } from "./videos.ts";
import { createWebhookDeliveries, type WebhookDeliveries } from "./webhook-deliveries.ts";
import { createWebhookListeners, type WebhookListeners } from "./webhook-listeners.ts";
import { createWebhooks, type WebhookSecret, type Webhooks, type WebhooksWithSecret } from "./webhook-verification.ts";

/** Where the service is, and the domain's API key. */
export type ReelmillOptions = Observers & {
	/** The address of the service, for example `https://video.example.com`, without the `/v1` of its paths. */
	baseUrl: string | undefined;
	/**
	 * The domain's key (`ek_...`), or a function that returns it and is called for every call. Keep it out of browsers.
	 * Only `sandbox.createSession` needs and sends no key.
	 */
	apiKey?: Credential;
	/**
	 * The secret (`whsec_` and more) of the domain's webhooks, or a function that returns it; for `webhooks.verify`
	 * (default: none). Without it each call needs one.
	 */
	webhookSecret?: WebhookSecret;
	/**
	 * Where `videos.initiateOrResume` keeps upload tickets (default: the memory of this process). All processes of one
	 * domain should share one store.
	 */
	tickets?: TicketStore;
	/** The `fetch` that sends the requests (default: Node's). */
	fetch?: typeof fetch;
	/** Bounds of the retries (default: those of `RetryOptions`). */
	retry?: RetryOptions;
	/** How many seconds one attempt may take (default: 60). */
	timeoutSeconds?: number;
};

/** Every operation of a tenant's domain. */
export type Reelmill = {
	videos: Videos;
	/** The captions of available videos. */
	captions: CaptionsResource;
	/** The chapters of available videos. */
	chapters: ChaptersResource;
	/** Videos that are cut out of available ones. */
	clips: Clips;
	/** The pictures that stand for available videos. */
	posters: PostersResource;
	playbackKeys: PlaybackKeys;
	/** Persons whose videos and names are to go. */
	erasures: Erasures;
	/** Videos that the service fetches from addresses. */
	imports: Imports;
	domain: DomainResource;
	/** Who changed what in the domain. */
	audit: AuditLog;
	limits: Limits;
	usage: UsageResource;
	webhookDeliveries: WebhookDeliveries;
	webhookListeners: WebhookListeners;
	webhooks: Webhooks;
	outros: Outros;
	storage: StorageResource;
	sandbox: {
		/**
		 * Creates a key that is valid for 24 hours and sees only its own videos. It needs no account.
		 * @throws {ReelmillError} `rate_limited` after three sessions of one IP address in 24 hours
		 */
		createSession(options?: CallOptions): Promise<SandboxSession>;
	};
	/** The typed client that sends all calls, for operations without a method of their own. */
	client: Client;
};

/** The SDK that was given a `webhookSecret`: its `webhooks.verify` needs no other. */
export type ReelmillWithSecret = Reelmill & { webhooks: WebhooksWithSecret };

/**
 * Creates the SDK for a tenant's back end. It opens no connection and checks no setting before the first call, so a file
 * that creates it can be imported without its environment, as image builds do. Any number of calls may run at once.
 * Every call throws a ReelmillError when the answer is an error, a ConnectionError when no answer came, and a TypeError
 * that names the setting when `baseUrl` or `apiKey` is missing or `baseUrl` is no address of a service.
 * @example
 * ```ts
 * import { createReelmill } from "@reelmill/node";
 *
 * const reelmill = createReelmill({ baseUrl: "https://video.example.com", apiKey: "ek_your_domain_key" });
 * const video = await reelmill.videos.upload("clip.mp4", { external_ref: "lesson-1" });
 * console.log(video.state, video.external_ref); // => queued lesson-1
 * ```
 */
export function createReelmill(options: ReelmillOptions & { webhookSecret: WebhookSecret }): ReelmillWithSecret;
export function createReelmill(options: ReelmillOptions): Reelmill;
export function createReelmill({
	apiKey,
	webhookSecret,
	tickets = createMemoryTickets(),
	...options
}: ReelmillOptions): ReelmillWithSecret {
	const client = createClient({ ...options, credential: neededKey("apiKey", "REELMILL_API_KEY", apiKey) });
	return {
		client,
		videos: createVideos(client, tickets),
		captions: createCaptions(client),
		chapters: createChapters(client),
		clips: createClips(client),
		posters: createPosters(client),
		playbackKeys: createPlaybackKeys(client),
		erasures: createErasures(client),
		imports: createImports(client),
		domain: createDomainResource(client),
		audit: createAuditLog(client, "listDomainAudit"),
		limits: createLimits(client),
		usage: createUsage(client),
		webhookDeliveries: createWebhookDeliveries(client),
		webhookListeners: createWebhookListeners(client),
		webhooks: createWebhooks(webhookSecret),
		outros: createOutros(client),
		storage: createStorage(client),
		sandbox: { createSession: (call) => createClient(options).call("createSandboxSession", {}, call) },
	};
}
