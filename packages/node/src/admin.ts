import {
	type CallInput,
	type CallOptions,
	type Client,
	type Credential,
	createClient,
	type Observers,
	type RetryOptions,
} from "@reelmill/client";
import type {
	AdminStorageLocation,
	CheckStep,
	ConsoleAccount,
	CreatedDomain,
	CreatedServiceAccount,
	Domain,
	KeyRotation,
	RequestedTranscripts,
	RotatedServiceAccount,
	ServiceAccount,
	Stats,
	Video,
} from "@reelmill/contracts";
import { type AdminAuditLog, createAuditLog } from "./audit.ts";
import { graceOf, type RotateKeyOptions } from "./domain.ts";
import { neededKey } from "./needed-key.ts";
import { callOf, type Listed, listed, pageQuery } from "./pages.ts";

/** Where the service is, and the admin key. */
export type ReelmillAdminOptions = Observers & {
	/** The address of the service, for example `https://video.example.com`, without the `/v1` of its paths. */
	baseUrl: string | undefined;
	/** The operator's key (`REELMILL_ADMIN_KEY` of the server), or a function that returns it, called for every call. */
	adminKey: Credential;
	/** The `fetch` that sends the requests (default: Node's). */
	fetch?: typeof fetch;
	/** Bounds of the retries (default: those of `RetryOptions`). */
	retry?: RetryOptions;
	/** How many seconds one attempt may take (default: 60). */
	timeoutSeconds?: number;
};

/** How a list of the operator's is bounded. */
export type AdminListOptions = CallOptions & {
	/** How many items one request fetches, 1 to 100 (default: 20). */
	pageSize?: number;
};

/** Every operation of the admin plane. */
export type ReelmillAdmin = {
	domains: Listed<Domain> & {
		/**
		 * Creates a domain. Returns it with its key, which is shown only here. Limits that are left out get their defaults.
		 * @throws {ReelmillError} `slug_already_exists` when another domain has the slug
		 */
		create(input: CallInput<"createDomain">["body"], options?: CallOptions): Promise<CreatedDomain>;
		/**
		 * Returns a domain.
		 * @throws {ReelmillError} `domain_not_found` when the domain is unknown or deleted
		 */
		get(id: string, options?: CallOptions): Promise<Domain>;
		/** Changes the slug or the limits. What is left out keeps its value. */
		update(id: string, changes: NonNullable<CallInput<"updateDomain">["body"]>, options?: CallOptions): Promise<Domain>;
		/**
		 * Deletes a domain and its videos. Its keys stop working at once.
		 * @throws {ReelmillError} `domain_not_found` when it is unknown or already deleted, `sandbox_domain_protected` for
		 * the sandbox domain
		 */
		delete(id: string, options?: CallOptions): Promise<void>;
		/**
		 * Requests the transcripts that no worker could make: those of available videos whose transcript is `unavailable`.
		 * Returns how many these are. Calling it twice requests those that are unavailable by then.
		 */
		requestTranscripts(id: string, options?: CallOptions): Promise<RequestedTranscripts>;
		/** Creates a new key, which is shown only here. The old key works for `graceSeconds` more. */
		rotateKey(id: string, options?: RotateKeyOptions): Promise<KeyRotation>;
	};
	serviceAccounts: Listed<ServiceAccount> & {
		/**
		 * Creates an account for transcoders. Returns it with its secret, which is shown only here.
		 * @throws {ReelmillError} `name_already_exists` when another account has the name
		 */
		create(input: CallInput<"createServiceAccount">["body"], options?: CallOptions): Promise<CreatedServiceAccount>;
		/**
		 * Creates a new secret, which is shown only here. The old secret works for another hour.
		 * @throws {ReelmillError} `service_account_revoked` when the account is revoked
		 */
		rotate(id: string, options?: CallOptions): Promise<RotatedServiceAccount>;
		/** Ends the account for ever. Its tokens stop working within 2 s. */
		revoke(id: string, options?: CallOptions): Promise<void>;
	};
	videos: {
		/**
		 * Queues a failed video anew, as if its upload had ended now.
		 * @throws {ReelmillError} `video_not_found` when the video is unknown, `invalid_state` when it neither failed nor
		 * is available, `file_not_found` when its source is gone
		 */
		reprocess(id: string, options?: CallOptions): Promise<Video>;
	};
	/** Who changed what, over all domains. */
	audit: AdminAuditLog;
	consoleAccounts: Listed<ConsoleAccount> & {
		/**
		 * Disables an account of the console. It can't sign in, and its sessions end within 2 s. Done twice, it keeps the
		 * time of the first.
		 * @throws {ReelmillError} `not_found` when it is unknown, `invalid_state` when it is the last admin
		 */
		disable(id: string, options?: CallOptions): Promise<ConsoleAccount>;
		/**
		 * Lets an account sign in again. Its earlier sessions stay ended.
		 * @throws {ReelmillError} `not_found` when it is unknown
		 */
		enable(id: string, options?: CallOptions): Promise<ConsoleAccount>;
		/**
		 * Changes the role, or replaces the list of domains. What is left out keeps its value. A change ends the account's
		 * sessions.
		 * @throws {ReelmillError} `not_found` when it is unknown, `domain_not_found` when a domain is, `invalid_state` when
		 * it is the last admin, or may not be one
		 */
		update(
			id: string,
			changes: NonNullable<CallInput<"updateConsoleAccount">["body"]>,
			options?: CallOptions,
		): Promise<ConsoleAccount>;
	};
	stats: {
		/** Returns what the instance holds and does now, over all domains. */
		get(options?: CallOptions): Promise<Stats>;
	};
	check: {
		/**
		 * Compares rows with storage, one bounded step a call. Returns what differs and the cursor of the next step, which
		 * is null after the last one. It changes nothing unless the input says so (`repair`, `adopt`, `remove_orphans`,
		 * `remove_unknown_domains`). With `deep` it also reads every output, and compares its bytes with the sum that is
		 * kept of them. A step may be repeated.
		 * @throws {ReelmillError} `invalid_cursor` when no step gave the cursor
		 */
		step(input?: CallInput<"checkStorage">["body"], options?: CallOptions): Promise<CheckStep>;
	};
	storageLocations: {
		/** Returns the platform's storage locations and whether they work. */
		list(options?: CallOptions): Promise<AdminStorageLocation[]>;
	};
	/** The typed client that sends all calls, for operations without a method of their own. */
	client: Client;
};

/**
 * Creates the SDK for operators, which calls the admin plane. It opens no connection and checks no setting before the
 * first call. Any number of calls may run at once. Every call throws a ReelmillError when the answer is an error, a
 * ConnectionError when no answer came, and a TypeError that names the setting when `baseUrl` or `adminKey` is missing or
 * `baseUrl` is no address of a service.
 * @example
 * ```ts
 * import { createReelmillAdmin } from "@reelmill/node";
 *
 * const admin = createReelmillAdmin({ baseUrl: "https://video.example.com", adminKey: "your-admin-key" });
 * const { domain, api_key } = await admin.domains.create({ slug: "acme" });
 * console.log(domain.slug, api_key); // => acme ek_…
 * ```
 */
export function createReelmillAdmin({ adminKey, ...options }: ReelmillAdminOptions): ReelmillAdmin {
	const client = createClient({ ...options, credential: neededKey("adminKey", "REELMILL_ADMIN_KEY", adminKey) });
	return {
		client,
		domains: {
			...listed((options = {}) => client.call("listDomains", { query: pageQuery(options) }, callOf(options))),
			create: (body, call) => client.call("createDomain", { body }, call),
			get: (id, call) => client.call("getAdminDomain", { params: { id } }, call),
			update: (id, body, call) => client.call("updateDomain", { params: { id }, body }, call),
			delete: async (id, call) => void (await client.call("deleteDomain", { params: { id } }, call)),
			requestTranscripts: (id, call) => client.call("requestTranscripts", { params: { id } }, call),
			rotateKey: (id, call) =>
				client.call("rotateDomainKeyAsAdmin", { params: { id }, ...graceOf(call) }, callOf(call)),
		},
		videos: { reprocess: (id, call) => client.call("reprocessVideo", { params: { id } }, call) },
		serviceAccounts: {
			...listed((options = {}) => client.call("listServiceAccounts", { query: pageQuery(options) }, callOf(options))),
			create: (body, call) => client.call("createServiceAccount", { body }, call),
			rotate: (id, call) => client.call("rotateServiceAccount", { params: { id } }, call),
			revoke: async (id, call) => void (await client.call("revokeServiceAccount", { params: { id } }, call)),
		},
		audit: createAuditLog(client, "listAudit"),
		consoleAccounts: {
			...listed((options = {}) => client.call("listConsoleAccounts", { query: pageQuery(options) }, callOf(options))),
			disable: (id, call) => client.call("disableConsoleAccount", { params: { id } }, call),
			enable: (id, call) => client.call("enableConsoleAccount", { params: { id } }, call),
			update: (id, body, call) => client.call("updateConsoleAccount", { params: { id }, body }, call),
		},
		check: { step: (body, call) => client.call("checkStorage", body === undefined ? {} : { body }, call) },
		stats: { get: (call) => client.call("getStats", {}, call) },
		storageLocations: { list: async (call) => (await client.call("listAdminStorageLocations", {}, call)).data },
	};
}
