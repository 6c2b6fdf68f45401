import { type CallInput, type CallOptions, type Client, createClient, type RetryOptions } from "@reelmill/client";
import type {
	AdminStorageLocation,
	CheckStep,
	CreatedDomain,
	CreatedServiceAccount,
	Domain,
	KeyRotation,
	RequestedTranscripts,
	RotatedServiceAccount,
	ServiceAccount,
	Stats,
} from "@reelmill/contracts";
import { graceOf, type RotateKeyOptions } from "./domain.ts";
import { itemsOf, type Page, type PageOptions, pageQuery, signalOf } from "./pages.ts";

export type ReelmillAdminOptions = {
	/** Where the service is, for example `https://video.example.com`. */
	baseUrl: string;
	/** The operator's key (`REELMILL_ADMIN_KEY` of the server), or a function that gives it, asked for each call. */
	adminKey: string | (() => string | Promise<string>);
	/** A `fetch` to use instead of Node's. */
	fetch?: typeof fetch;
	retry?: RetryOptions;
	/** Seconds that one try of a call may take; 60 unless told. */
	timeoutSeconds?: number;
};

export type AdminListOptions = CallOptions & {
	/** Items fetched at a time, 1..100; 20 unless told. */
	pageSize?: number;
};

/** A list of the admin plane, newest first: by item over all pages, or page by page. */
type Listed<T> = {
	list(options?: AdminListOptions): AsyncIterableIterator<T>;
	page(options?: PageOptions): Promise<Page<T>>;
};

export type ReelmillAdmin = {
	domains: Listed<Domain> & {
		/**
		 * A domain and its key, shown this once. `slug_already_exists` where the slug is taken. Limits that are left out
		 * have their defaults.
		 */
		create(input: CallInput<"createDomain">["body"], options?: CallOptions): Promise<CreatedDomain>;
		/** `domain_not_found` for an unknown or a deleted one. */
		get(id: string, options?: CallOptions): Promise<Domain>;
		/** Changes slug or limits; what is left out keeps its value. */
		update(id: string, changes: NonNullable<CallInput<"updateDomain">["body"]>, options?: CallOptions): Promise<Domain>;
		/**
		 * Its keys stop at once, its videos are deleted. A second time it is `domain_not_found`; the sandbox domain is
		 * `sandbox_domain_protected`.
		 */
		delete(id: string, options?: CallOptions): Promise<void>;
		/**
		 * Has the transcripts made that no worker could make: those of available videos that are `unavailable`. Answers how
		 * many these are; done twice, those of by then.
		 */
		requestTranscripts(id: string, options?: CallOptions): Promise<RequestedTranscripts>;
		/** A new key, shown this once; the one before works for `graceSeconds` more, 0 to 3600 (default: an hour). */
		rotateKey(id: string, options?: RotateKeyOptions): Promise<KeyRotation>;
	};
	serviceAccounts: Listed<ServiceAccount> & {
		/** An account for transcoders and its secret, shown this once. `name_already_exists` where the name is taken. */
		create(input: CallInput<"createServiceAccount">["body"], options?: CallOptions): Promise<CreatedServiceAccount>;
		/**
		 * A new secret, shown this once; the one before works for an hour more. `service_account_revoked` for a revoked
		 * one.
		 */
		rotate(id: string, options?: CallOptions): Promise<RotatedServiceAccount>;
		/** Ends the account for good; tokens already issued stop within 2 s. */
		revoke(id: string, options?: CallOptions): Promise<void>;
	};
	stats: {
		/** What the instance holds and does now, over all domains. */
		get(options?: CallOptions): Promise<Stats>;
	};
	check: {
		/**
		 * Compares rows with storage: one bounded step, which answers what differs and the cursor of the next, null after
		 * the last. It changes only what it is told to (`repair`, `adopt`, `remove_orphans`, `remove_unknown_domains`). A
		 * step may be called again. `invalid_cursor` for a cursor that no step gave.
		 */
		step(input?: CallInput<"checkStorage">["body"], options?: CallOptions): Promise<CheckStep>;
	};
	storageLocations: {
		/** The platform's storage locations as configured, and whether they work. */
		list(options?: CallOptions): Promise<AdminStorageLocation[]>;
	};
	/** The typed client underneath, for every other operation. */
	client: Client;
};

/**
 * The operator's SDK, over the admin plane. It opens nothing by itself; any number of calls may run at once.
 * Every call throws a ReelmillError for an error answer and a ConnectionError when none came.
 * @throws TypeError for a `baseUrl` that is no absolute URL
 */
export function createReelmillAdmin({ adminKey, ...options }: ReelmillAdminOptions): ReelmillAdmin {
	const client = createClient({ ...options, credential: adminKey });
	return {
		client,
		domains: {
			...listed((query, call) => client.call("listDomains", { query }, call)),
			create: (body, call) => client.call("createDomain", { body }, call),
			get: (id, call) => client.call("getAdminDomain", { params: { id } }, call),
			update: (id, body, call) => client.call("updateDomain", { params: { id }, body }, call),
			delete: async (id, call) => void (await client.call("deleteDomain", { params: { id } }, call)),
			requestTranscripts: (id, call) => client.call("requestTranscripts", { params: { id } }, call),
			rotateKey: (id, call) =>
				client.call("rotateDomainKeyAsAdmin", { params: { id }, ...graceOf(call) }, signalOf(call)),
		},
		serviceAccounts: {
			...listed((query, call) => client.call("listServiceAccounts", { query }, call)),
			create: (body, call) => client.call("createServiceAccount", { body }, call),
			rotate: (id, call) => client.call("rotateServiceAccount", { params: { id } }, call),
			revoke: async (id, call) => void (await client.call("revokeServiceAccount", { params: { id } }, call)),
		},
		check: { step: (body, call) => client.call("checkStorage", body === undefined ? {} : { body }, call) },
		stats: { get: (call) => client.call("getStats", {}, call) },
		storageLocations: { list: async (call) => (await client.call("listAdminStorageLocations", {}, call)).data },
	};
}

function listed<T>(fetchPage: (query: ReturnType<typeof pageQuery>, call: CallOptions) => Promise<Page<T>>): Listed<T> {
	return {
		page: (options = {}) => fetchPage(pageQuery(options), signalOf(options)),
		list: ({ pageSize, signal } = {}) =>
			itemsOf((cursor) =>
				fetchPage(
					{ ...(pageSize === undefined ? {} : { limit: pageSize }), ...(cursor === undefined ? {} : { cursor }) },
					signalOf({ signal }),
				),
			),
	};
}
