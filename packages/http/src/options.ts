import type { Logger, Random } from "@reelmill/engine";
import type { PlaneName } from "./plane.ts";

/** How an engine is served. */
export type HttpOptions = {
	/** The address that clients reach this server by, without a slash at its end; upload URLs are made from it. */
	readonly baseUrl: string;
	readonly logger: Logger;
	/** Mints request ids and names of temporary files (default: the system's). */
	readonly random?: Random;
	/** What `GET /v1/health` reports. */
	readonly version: string;
	/** Opens the admin plane as `Authorization: Bearer`. Without it the admin plane answers 401 to everyone. */
	readonly adminKey?: string;
	/**
	 * Proxies in front of this server, as CIDRs or addresses: what they say in X-Forwarded-For about the client's address
	 * is believed (default: none). The log says once where others say it.
	 */
	readonly trustedProxies?: readonly string[];
	/**
	 * Networks of one's own workers, as CIDRs or addresses: requests for a service token are counted there by the
	 * account, not by the address that many may share (default: none).
	 */
	readonly workerNetworks?: readonly string[];
	/** Most bytes that a worker's archive may hold once extracted (default 2 GiB). */
	readonly archiveBytes?: number;
	/** Where a worker's archive lies while it is read (default: the system's folder for temporary files). */
	readonly spoolDirectory?: string;
	/**
	 * A request body that sends nothing, or an answer that isn't taken, for this long ends (default 60). There is no
	 * limit on the whole, but a JSON body must have come by then.
	 */
	readonly idleTimeoutSeconds?: number;
	/**
	 * Sends large outputs that aren't in memory from their files to plain connections, as what `openSendFile` of
	 * `@reelmill/sendfile` gives does (default: they are read into memory and written). An answer over TLS, or one that
	 * something between rewrites, goes the ordinary way. Of the Node listener alone.
	 */
	readonly sendFile?: SendFile;
	/**
	 * Told of every request when it comes; what it answers is told how that ended. Of the Node listener alone. It must
	 * not throw.
	 */
	readonly observe?: (plane: PlaneName) => (ended: EndedRequest) => void;
	/**
	 * Aborted when the server is about to stop: from then on a worker's claim that waits for a job is answered without
	 * one. Of the Node listener alone.
	 */
	readonly draining?: AbortSignal;
};

/**
 * Sends `length` bytes of an open file from `position` on to a connection, each given by its descriptor, and answers
 * how many the system took. It never waits and never throws: where the connection is full, the bytes aren't in the
 * system's memory, or something is wrong, it answers fewer, or 0. What is left is then read and written, which tells
 * what is wrong.
 */
export type SendFile = (connection: number, file: number, position: number, length: number) => number;

/** `complete` is false where the client left, or was cut off, before it had the whole answer. */
export type EndedRequest = { readonly status: number; readonly complete: boolean; readonly seconds: number };

export const defaultIdleTimeoutSeconds = 60;
