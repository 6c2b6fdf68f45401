import type { ServerFacts } from "@reelmill/contracts";
import type { PlaneName } from "./plane-name.ts";

/**
 * How an engine is served. What the engine already knows (its base URL, version, logger, clock and random) is taken
 * from the engine.
 */
export type HttpOptions = {
	/** The credential of the admin plane (default: none). Without it the admin plane answers 401 to everyone. */
	readonly adminKey?: string;
	/**
	 * An OpenID Connect provider, whose accounts can sign in to the console (default: none).
	 */
	readonly identityProvider?: IdentityProvider;
	/**
	 * Proxies in front of this server, as CIDRs or addresses (default: none). The server believes what they say about the
	 * client's address in X-Forwarded-For. It logs once that another address sent this header.
	 */
	readonly trustedProxies?: readonly string[];
	/**
	 * Networks of your own workers, as CIDRs or addresses (default: none). Requests for a service token from there are
	 * counted by the account that they name, not by the address, which many workers may share.
	 */
	readonly workerNetworks?: readonly string[];
	/** How many bytes a worker's archive may hold once it is extracted (default: 2 GiB). */
	readonly archiveBytes?: number;
	/** The folder for a worker's archive while the server reads it (default: the system's folder for temporary files). */
	readonly spoolDirectory?: string;
	/**
	 * How long a request's body may send nothing, or a client may take nothing of its answer, in seconds (default: 60).
	 * There is no limit on the whole transfer, except for a JSON body, which must arrive within this time.
	 */
	readonly idleTimeoutSeconds?: number;
	/**
	 * Sends large outputs that are not in memory straight from their files to plain connections (default: the server
	 * reads and writes them). `openSendFile` of `@reelmill/sendfile` returns such a function. Answers over TLS, and
	 * answers that something rewrites on the way, never use it. Only the Node listener uses it.
	 */
	readonly sendFile?: SendFile;
	/**
	 * How many bytes of videos this process sends to one client in a second (default: no limit). A client that has taken
	 * nothing for ten seconds may take ten seconds' worth at once. Beyond that its answers are slowed, never refused. All
	 * connections of the client share the rate; a client by IPv6 is its /64 network. Only the Node listener uses it.
	 */
	readonly deliveryBytesPerSecond?: number;
	/**
	 * The web console's page (default: none): `directory` of `@reelmill/console` is the folder of its built files. They
	 * are read once and served under /console/, and browsers that open `/` are led there. Without it, /console/ answers
	 * 404. Only the Node listener uses it.
	 */
	readonly console?: { readonly directory: string };
	/**
	 * The page of the API reference (default: none): `referenceDirectory` of `@reelmill/console` is the folder of its
	 * built files. They are read once and served at /docs and under /docs/. Without it, /docs is a short page that links
	 * to the OpenAPI documents.
	 */
	readonly reference?: { readonly directory: string };
	/**
	 * Called with the plane of each request when the request arrives. The function that it returns is called with the
	 * outcome when the request ends. Neither may throw. Only the Node listener calls it.
	 */
	readonly observe?: (plane: PlaneName) => (ended: EndedRequest) => void;
	/**
	 * Returns what the program that serves knows of itself, for the operator's view of the system (default: nothing).
	 * Secrets have no value in it.
	 */
	readonly serverFacts?: () => Promise<ServerFacts>;
	/**
	 * Aborted when the server is about to stop: from then on, a worker's claim that waits for a job is answered without
	 * one. Only the Node listener uses it.
	 */
	readonly draining?: AbortSignal;
};

/**
 * Sends `length` bytes of an open file, from `position` on, to a connection; both are given by their descriptors.
 * Returns how many bytes the system took. It never waits and never throws: it returns fewer bytes, or 0, if the
 * connection is full, if the bytes are not in the system's memory, or if something is wrong. The server then reads and
 * writes the rest, which shows what is wrong.
 */
export type SendFile = (connection: number, file: number, position: number, length: number) => number;

/** An OpenID Connect provider, and this installation's registration there. */
export type IdentityProvider = {
	/** The provider's issuer, an https address; http is accepted on the loopback. */
	readonly issuer: string;
	readonly clientId: string;
	/** The client's secret (default: none, for a public client). */
	readonly clientSecret?: string;
	/** How long each request to the provider may take, in seconds (default: 10). */
	readonly timeoutSeconds?: number;
};

/** How a request ended. */
export type EndedRequest = {
	readonly status: number;
	/** False if the client left, or was cut off, before it had the whole answer. */
	readonly complete: boolean;
	readonly seconds: number;
	/** Whether the answer had to wait, because its client is over `deliveryBytesPerSecond`. */
	readonly slowed: boolean;
};

export const defaultIdleTimeoutSeconds = 60;
