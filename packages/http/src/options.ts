import type { Clock, Logger, Random } from "@reelmill/engine";

/** How an engine is served. */
export type HttpOptions = {
	/** The address that clients reach this server by, without a slash at its end; upload URLs are made from it. */
	readonly baseUrl: string;
	readonly logger: Logger;
	/** Mints request ids and names of temporary files (default: the system's). */
	readonly random?: Random;
	/** (default: the system's) */
	readonly clock?: Clock;
	/** What `GET /v1/health` reports. */
	readonly version: string;
	/** Opens the admin plane as `Authorization: Bearer`. Without it the admin plane answers 401 to everyone. */
	readonly adminKey?: string;
	/** Proxies in front of this server, as CIDRs or addresses: what they say in X-Forwarded-For about the client's address is believed (default: none). */
	readonly trustedProxies?: readonly string[];
	/** Most bytes that a worker's archive may hold once extracted (default 2 GiB). */
	readonly archiveBytes?: number;
	/** Where a worker's archive lies while it is read (default: the system's folder for temporary files). */
	readonly spoolDirectory?: string;
	/** A request body that sends nothing, or an answer that isn't taken, for this long ends (default 60). There is no limit on the whole. */
	readonly idleTimeoutSeconds?: number;
};

export const defaultIdleTimeoutSeconds = 60;
